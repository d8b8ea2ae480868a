import { notifications } from '@mantine/notifications';
import { apiOf } from '../../../api/api.ts';
import { useNoteChange, type NoteName } from '../use-note-change.ts';

/** Restores a deleted note. */
export const useRestoreNote = () =>
  useNoteChange(
    ({ companyId, id }: NoteName) =>
      apiOf(companyId).post('/api/notes/{id}/restore', { params: { path: { id } }, body: {} }),
    () => notifications.show({ message: 'Note restored.' }),
  );
