import { Button, Group, Kbd } from '@mantine/core';
import classes from './proposals.module.css';
import type { Deciding } from './use-deciding.ts';

/** The buttons that decide about one proposal, or about all of its run. */
export const ProposalActions = ({ deciding }: { readonly deciding: Deciding }) => {
  const { accept, chooseWay, reject, openEditor, acceptRun, isPending } = deciding;
  if (reject === null) {
    return null;
  }
  // Others changed the same lines: how to accept is chosen below them.
  const hasChoices = deciding.mayDecide && deciding.comparison?.kind === 'overlap';
  return (
    <Group gap="xs" className={classes['actions'] ?? ''} role="group" aria-label="Decision">
      {accept && (
        <Button loading={isPending} onClick={accept} rightSection={<Key name="a" />}>
          Accept
        </Button>
      )}
      {hasChoices && (
        <Button
          disabled={isPending || chooseWay === null}
          onClick={() => chooseWay?.()}
          rightSection={<Key name="a" />}
        >
          Accept…
        </Button>
      )}
      <Button
        variant="outline"
        color="red"
        disabled={isPending}
        onClick={reject}
        rightSection={<Key name="r" />}
      >
        Reject…
      </Button>
      {openEditor && (
        <Button
          variant="default"
          disabled={isPending}
          onClick={openEditor}
          rightSection={<Key name="e" />}
        >
          Edit…
        </Button>
      )}
      {acceptRun && (
        <Button variant="subtle" disabled={isPending} onClick={acceptRun}>
          Accept all of this run…
        </Button>
      )}
    </Group>
  );
};

/** On a phone there are no keys. */
const Key = ({ name }: { readonly name: string }) => (
  <Kbd size="xs" visibleFrom="md" aria-hidden>
    {name}
  </Kbd>
);
