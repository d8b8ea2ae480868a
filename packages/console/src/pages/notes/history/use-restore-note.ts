import { notifications } from '@mantine/notifications';
import { restoreNote } from '../restore-note.ts';
import { useNoteChange } from '../use-note-change.ts';

/** Restores a deleted note. */
export const useRestoreNote = () =>
  useNoteChange(restoreNote, () => notifications.show({ message: 'Note restored.' }));
