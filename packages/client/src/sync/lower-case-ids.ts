import { isPending, unknownNote } from './local-note.ts';
import { isNoteId } from './note-id.ts';
import type { Replica } from './replica.ts';

/** Moves edits to the ids that the server returns: stores of earlier versions may have them in upper case. */
export const lowerCaseIds = (replica: Replica): void => {
  for (const note of replica.pending()) {
    const id = note.id.toLowerCase();
    const known = replica.find(id);
    // With edits under both ids nobody knows which is the later one: the next push refuses, and so names, the former.
    if (id !== note.id && isNoteId(id) && !isPending(known)) {
      const { outstanding, draft, refusal } = note;
      replica.setNote({ ...known, outstanding, draft, refusal });
      replica.setNote(unknownNote(note.id));
    }
  }
};
