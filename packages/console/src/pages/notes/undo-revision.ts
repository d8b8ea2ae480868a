import type { QueryClient } from '@tanstack/react-query';
import { apiOf } from '../../api/api.ts';
import { revisionQuery } from '../../api/note-queries.ts';
import { textOf } from './note-text.ts';

type Revision = {
  readonly companyId: string;
  readonly noteId: string;
  /** The newest one, which is taken back. */
  readonly revision: number;
  /** How many revisions are taken back with it, it included. */
  readonly count?: number;
};

/**
 * Writes the version before a revision, or before the last few, as a new one, or deletes a note that did not exist before. What others wrote since is
 * left alone: 412. Returns whether the note was deleted.
 */
export const undoRevision = async (
  client: QueryClient,
  { companyId, noteId, revision, count = 1 }: Revision,
): Promise<boolean> => {
  const kept = revision - count;
  const before =
    kept === 0 ? null : await client.fetchQuery(revisionQuery(companyId, noteId, kept));
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
