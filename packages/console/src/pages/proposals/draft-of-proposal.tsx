import { Alert, Button, Group } from '@mantine/core';
import { LeftDraft } from '../notes/editor/left-draft.tsx';
import type { Deciding } from './use-deciding.ts';

type DraftOfProposalProps = {
  readonly deciding: Deciding;
  /** The newest revision of the note; null: there is none. */
  readonly revision: number | null;
};

/** Offers the text that the operator wrote and did not accept. */
export const DraftOfProposal = ({ deciding, revision }: DraftOfProposalProps) => {
  const { draft, edit, mayDecide, isOpen, goOnWithDraft, discardDraft } = deciding;
  if (draft === null || edit !== null) {
    return null;
  }
  if (!mayDecide) {
    const reason = isOpen
      ? 'You cannot accept proposals of this company now, so the text is kept here to copy it.'
      : 'The proposal cannot be accepted any more, so the text is kept here to copy it.';
    return <LeftDraft reason={reason} text={draft.text} onDiscard={discardDraft} />;
  }
  const isOld = draft.note !== null && draft.note.revision !== revision;
  return (
    <Alert title="You have an unsaved draft" role="status">
      <Group justify="space-between">
        <span>
          You edited the text of this proposal, and did not accept it.
          {isOld && ' The note has changed since: accepting merges the two, or shows you how.'}
        </span>
        <Group gap="xs">
          <Button size="xs" onClick={goOnWithDraft}>
            Go on with the draft
          </Button>
          <Button variant="default" size="xs" onClick={discardDraft}>
            Discard draft
          </Button>
        </Group>
      </Group>
    </Alert>
  );
};
