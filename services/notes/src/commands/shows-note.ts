import { noteInput, type NoteInput } from '@commonplace/contracts/notes';
import type { StoredNote } from '../queries/note-row.ts';
import type { Pushed } from './pushed.ts';

/** The server's state is not what was sent, so the answer shows it. */
export const showsNote = ({ change, outcome: { status, note } }: Pushed): boolean =>
  status === 'merged' ||
  status === 'conflict' ||
  (status !== 'rejected' && change.op === 'put' && hasOtherTags(change.note, note));

/** Tags are stored trimmed, in normal form, each once and sorted. A replay comes without the note. */
const hasOtherTags = (note: unknown, row: StoredNote | null): boolean => {
  const { tags: sent = [] } = note as NoteInput;
  const stored = row?.tags ?? noteInput.shape.tags.parse(sent);
  return stored.length !== sent.length || stored.some((tag, index) => tag !== sent[index]);
};
