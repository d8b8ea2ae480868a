import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { isChangedSince } from '../../api/problems.ts';
import { keys } from '../../api/query-keys.ts';
import { detailOf } from '../../components/error-alert.tsx';
import { showWithUndo } from '../../components/show-with-undo.tsx';
import { undoRevision } from '../notes/undo-revision.ts';
import { titleText } from '../../components/title-text.ts';

type Proposal = Pick<
  Schema<'Proposal'>,
  'id' | 'companyId' | 'noteId' | 'title' | 'folder' | 'revision'
>;

/** Says what was accepted, with the way back if the note has changed. */
export const showAccepted = (client: QueryClient, proposal: Proposal): void => {
  const { id, companyId, noteId, revision } = proposal;
  const name = titleText(proposal.title);
  if (revision === null) {
    notifications.show({ message: `Accepted: ${name}, the note had this content already.` });
    return;
  }
  showWithUndo({
    id: `accepted-${id}`,
    text: `Accepted: ${name}, revision ${revision}.`,
    undo: async () => {
      const isDeleted = await undoRevision(client, { companyId, noteId, revision });
      void client.invalidateQueries({ queryKey: keys.notes(companyId) });
      return `${name} ${isDeleted ? 'was deleted' : 'is as it was before'}. The proposal stays accepted.`;
    },
    failure: (error) =>
      isChangedSince(error)
        ? `${name} has changed since, so it was left alone. Its history has the version before.`
        : `${name}: ${detailOf(error)}`,
  });
};
