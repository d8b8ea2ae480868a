import type { Schema } from '@commonplace/client';
import type { QueryClient } from '@tanstack/react-query';
import { apiOf } from '../../../api/api.ts';
import { isChangedSince } from '../../../api/problems.ts';
import { keys } from '../../../api/query-keys.ts';
import { detailOf } from '../../../components/error-alert.tsx';
import { showWithUndo } from '../../../components/show-with-undo.tsx';
import { restoreNote } from '../restore-note.ts';
import { undoRevision } from '../undo-revision.ts';

/** What became of the two versions. */
export type Resolved = {
  readonly copy: Pick<Schema<'NoteData'>, 'id' | 'companyId'>;
  /** The revision of the copy that was deleted; null: unknown. */
  readonly copyRevision: number | null;
  /** The note, if it has another text now: its newest revision. */
  readonly changed: { readonly id: string; readonly revision: number } | null;
  /** The note that was made of the copy. */
  readonly made: string | null;
};

/** Says that a conflict is resolved, with the way back: both versions are as before, unless somebody has changed them since. */
export const showResolved = (client: QueryClient, resolved: Resolved): void => {
  const { companyId, id } = resolved.copy;
  showWithUndo({
    id: `resolved-${id}`,
    text: 'Conflict resolved.',
    undo: async () => {
      try {
        return await reopen(client, resolved);
      } finally {
        void client.invalidateQueries({ queryKey: keys.notes(companyId) });
      }
    },
    failure: (error) =>
      isChangedSince(error)
        ? 'The version that was removed has changed since, so the conflict stays resolved.'
        : `The conflict stays resolved: ${detailOf(error)}`,
  });
};

/** The copy first: with it nothing is lost if the rest cannot be taken back. */
const reopen = async (
  client: QueryClient,
  { copy: { id, companyId }, copyRevision, changed, made }: Resolved,
): Promise<string> => {
  await restoreNote({
    companyId,
    id,
    ...(copyRevision === null ? {} : { deletion: copyRevision + 1 }),
  });
  try {
    if (changed) {
      await undoRevision(client, { companyId, noteId: changed.id, revision: changed.revision });
    }
    if (made !== null) {
      const params = { path: { id: made }, header: { 'If-Match': '"1"' } };
      await apiOf(companyId).delete('/api/notes/{id}', { params });
    }
  } catch (error) {
    const reason = isChangedSince(error)
      ? 'has changed since, so it was left alone.'
      : `was not taken back: ${detailOf(error)}`;
    return `The conflict is open again. The note that came of it ${reason}`;
  }
  return 'The conflict is open again.';
};
