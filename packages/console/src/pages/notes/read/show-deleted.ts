import type { Schema } from '@commonplace/client';
import type { QueryClient } from '@tanstack/react-query';
import { isChangedSince } from '../../../api/problems.ts';
import { keys } from '../../../api/query-keys.ts';
import { detailOf } from '../../../components/error-alert.tsx';
import { showWithUndo } from '../../../components/show-with-undo.tsx';
import { titleText } from '../../../components/title-text.ts';
import { restoreNote } from '../restore-note.ts';

/** As it was before. */
type Note = Pick<Schema<'NoteData'>, 'companyId' | 'id' | 'revision' | 'title'>;

/** Says which note was deleted, with the way back. A note that others restored since, or deleted again, is left alone. */
export const showDeleted = (
  client: QueryClient,
  { id, companyId, revision, title }: Note,
): void => {
  const name = titleText(title);
  const changed = `${name} has changed since, so it was left alone.`;
  showWithUndo({
    id: `deleted-${id}`,
    text: `Deleted: ${name}`,
    undo: async () => {
      const { response } = await restoreNote({ companyId, id, deletion: revision + 1 });
      void client.invalidateQueries({ queryKey: keys.notes(companyId) });
      return response.headers.get('note-restored') === 'false' ? changed : `Restored: ${name}`;
    },
    failure: (error) =>
      isChangedSince(error) ? changed : `${name} was not restored: ${detailOf(error)}`,
  });
};
