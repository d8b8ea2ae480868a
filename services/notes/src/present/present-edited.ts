import type { EditedNote, NoteChanges } from '@commonplace/contracts/notes';
import type { NoteRow } from '../queries/note-rows.ts';
import { presentWritten } from './present-written.ts';

/** As `presentWritten`, with what the edit changed. */
export const presentEdited = (
  note: NoteRow,
  changed: NoteChanges | null,
  isMinimal: boolean,
): { readonly body: EditedNote; readonly headers: Record<string, string> } => {
  const { body, headers } = presentWritten(note, isMinimal);
  return { body: changed ? { ...body, changed } : body, headers };
};
