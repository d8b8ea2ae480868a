import { ProblemError, type Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { apiOf } from '../../api/api.ts';
import { revisionQuery } from '../../api/note-queries.ts';
import { keys } from '../../api/query-keys.ts';
import { detailOf } from '../../components/error-alert.tsx';
import { showWithUndo } from '../../components/show-with-undo.tsx';
import { textOf } from '../notes/note-text.ts';
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
      const isDeleted = await undoAccepted(client, { companyId, noteId, revision });
      void client.invalidateQueries({ queryKey: keys.notes(companyId) });
      return `${name} ${isDeleted ? 'was deleted' : 'is as it was before'}. The proposal stays accepted.`;
    },
    failure: (error) =>
      error instanceof ProblemError && error.code === 'precondition_failed'
        ? `${name} has changed since, so it was left alone. Its history has the version before.`
        : `${name}: ${detailOf(error)}`,
  });
};

type Accepted = Pick<Proposal, 'companyId' | 'noteId'> & { readonly revision: number };

/**
 * Writes the version before the accepted one as a new revision, or deletes a note that did not exist before. What others
 * wrote since is left alone: 412. Returns whether the note was deleted.
 */
const undoAccepted = async (client: QueryClient, accepted: Accepted): Promise<boolean> => {
  const { companyId, noteId, revision } = accepted;
  const before =
    revision === 1 ? null : await client.fetchQuery(revisionQuery(companyId, noteId, revision - 1));
  const params = { path: { id: noteId }, header: { 'If-Match': `"${revision}"` } };
  if (before === null || before.deleted) {
    await apiOf(companyId).delete('/api/notes/{id}', { params });
    return true;
  }
  await apiOf(companyId).put('/api/notes/{id}', {
    params,
    body: { ...textOf(before), properties: before.properties },
  });
  return false;
};
