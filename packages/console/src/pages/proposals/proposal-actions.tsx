import { Button, Group } from '@mantine/core';
import { DecisionKey } from './decision-key.tsx';
import classes from './proposals.module.css';
import type { Deciding } from './use-deciding.ts';

type ProposalActionsProps = {
  readonly deciding: Deciding;
  /** Keys decide about this proposal, not about others that are selected. */
  readonly hasKeys: boolean;
};

/** The buttons that decide about one proposal, or about all of its run. */
export const ProposalActions = ({ deciding, hasKeys }: ProposalActionsProps) => {
  const { accept, chooseWay, reject, openEditor, acceptRun, isPending } = deciding;
  const keyOf = (name: string) => hasKeys && <DecisionKey name={name} />;
  if (reject === null) {
    return null;
  }
  // Others changed the same lines: how to accept is chosen below them.
  const hasChoices = deciding.mayDecide && deciding.comparison?.kind === 'overlap';
  return (
    <Group gap="xs" className={classes['actions'] ?? ''} role="group" aria-label="Decision">
      {accept && (
        <Button loading={isPending} onClick={accept} rightSection={keyOf('a')}>
          Accept
        </Button>
      )}
      {hasChoices && (
        <Button
          disabled={isPending || chooseWay === null}
          onClick={() => chooseWay?.()}
          rightSection={keyOf('a')}
        >
          Accept…
        </Button>
      )}
      <Button
        variant="outline"
        color="red"
        disabled={isPending}
        onClick={reject}
        rightSection={keyOf('r')}
      >
        Reject…
      </Button>
      {openEditor && (
        <Button
          variant="default"
          disabled={isPending}
          onClick={openEditor}
          rightSection={<DecisionKey name="e" />}
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
