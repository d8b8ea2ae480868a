import type { WrittenNote } from '@commonplace/contracts/notes';
import type { NoteRow } from '../queries/note-rows.ts';
import { noteReplyHeaders, presentNote } from './present-note.ts';

/** Body and headers of a successful write: the note, or a receipt if the client prefers one (RFC 7240). */
export const presentWritten = (
  note: NoteRow,
  isMinimal: boolean,
): { readonly body: WrittenNote; readonly headers: Record<string, string> } => {
  const headers = noteReplyHeaders(note);
  return isMinimal
    ? {
        body: { id: note.id, revision: note.revision, updatedAt: note.updatedAt.toISOString() },
        headers: { ...headers, 'Preference-Applied': 'return=minimal' },
      }
    : { body: presentNote(note), headers };
};
