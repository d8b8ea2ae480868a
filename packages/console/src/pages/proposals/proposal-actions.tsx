import { Button, Group, Kbd } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import classes from './proposals.module.css';
import type { Deciding } from './use-deciding.ts';

type ProposalActionsProps = {
  readonly detail: Schema<'ProposalDetail'>;
  readonly deciding: Deciding;
};

/** The decision about one proposal, and about all of its run. Nothing for who may not decide. */
export const ProposalActions = ({ detail, deciding }: ProposalActionsProps) => {
  const { mayDecide, edit, isPending } = deciding;
  if (!mayDecide || detail.state !== 'open' || edit !== null) {
    return null;
  }
  return (
    <Group gap="xs" className={classes['actions'] ?? ''} role="group" aria-label="Decision">
      {deciding.accept && (
        <Button
          loading={isPending}
          onClick={() => deciding.accept?.()}
          rightSection={<Key name="a" />}
        >
          Accept
        </Button>
      )}
      <Button
        variant="outline"
        color="red"
        disabled={isPending}
        onClick={() => deciding.reject?.()}
        rightSection={<Key name="r" />}
      >
        Reject…
      </Button>
      {deciding.openEditor && (
        <Button
          variant="default"
          disabled={isPending}
          onClick={() => deciding.openEditor?.()}
          rightSection={<Key name="e" />}
        >
          Edit…
        </Button>
      )}
      {detail.author.runId !== undefined && (
        <Button variant="subtle" disabled={isPending} onClick={() => deciding.acceptRun?.()}>
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
