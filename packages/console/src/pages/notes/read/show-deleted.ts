import type { Schema } from '@commonplace/client';
import type { QueryClient } from '@tanstack/react-query';
import { keys } from '../../../api/query-keys.ts';
import { detailOf } from '../../../components/error-alert.tsx';
import { showWithUndo } from '../../../components/show-with-undo.tsx';
import { restoreNote } from '../restore-note.ts';
import { titleText } from '../../../components/title-text.ts';

type Note = Pick<Schema<'NoteData'>, 'companyId' | 'id' | 'title'>;

/** Says which note was deleted, with the way back. */
export const showDeleted = (client: QueryClient, { id, companyId, title }: Note): void => {
  const name = titleText(title);
  showWithUndo({
    id: `deleted-${id}`,
    text: `Deleted: ${name}`,
    undo: async () => {
      await restoreNote({ companyId, id });
      void client.invalidateQueries({ queryKey: keys.notes(companyId) });
      return `Restored: ${name}`;
    },
    failure: (error) => `${name} was not restored: ${detailOf(error)}`,
  });
};
