import type { Schema } from '@commonplace/client';
import type { QueryClient } from '@tanstack/react-query';
import { apiOf } from '../../../api/api.ts';
import { keys } from '../../../api/query-keys.ts';
import { detailOf } from '../../../components/error-alert.tsx';
import { showWithUndo } from '../../../components/show-with-undo.tsx';

type Note = Schema<'NoteData'>;

/** Says which note was deleted, with the way back. */
export const showDeleted = (client: QueryClient, { id, companyId, title }: Note): void => {
  const name = title === '' ? 'Untitled' : title;
  showWithUndo({
    id: `deleted-${id}`,
    text: `Deleted: ${name}`,
    undo: async () => {
      await apiOf(companyId).post('/api/notes/{id}/restore', {
        params: { path: { id } },
        body: {},
      });
      void client.invalidateQueries({ queryKey: keys.notes(companyId) });
      return `Restored: ${name}`;
    },
    failure: (error) => `${name} was not restored: ${detailOf(error)}`,
  });
};
