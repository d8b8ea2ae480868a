import { noteInput, type SyncChange, type NoteInput } from '@commonplace/contracts/notes';
import type { Outcome } from '../write/change.ts';
import { hasContent, type StoredNote } from '../queries/note-rows.ts';
import { wireBytesOf } from '../write/note-versions.ts';

/** A change of a client, and what became of it. */
export type PushedChange = { readonly change: SyncChange; readonly outcome: Outcome };

/** A change that an earlier part pushed and that was not rejected, and what became of it. */
export type PriorPush = {
  readonly change: SyncChange;
  readonly outcome: Pick<Outcome, 'status' | 'revision'>;
};

/** The server's state is not what was sent, so the answer shows it. */
export const includesNote = ({ change, outcome: { status, note } }: PushedChange): boolean =>
  status === 'merged' ||
  status === 'conflict' ||
  (status !== 'rejected' && change.op === 'put' && hasOtherTags(change.note, note));

/** Tags are stored trimmed, in normal form, each once and sorted. A replay comes without the note. */
const hasOtherTags = (note: unknown, row: StoredNote | null): boolean => {
  const { tags: sent = [] } = note as NoteInput;
  const stored = row?.tags ?? noteInput.shape.tags.parse(sent);
  return stored.length !== sent.length || stored.some((tag, index) => tag !== sent[index]);
};

/** What became of a change, and whether the answer carries the note. */
type ReportedChange = PushedChange & { readonly isNoteShown: boolean };

/** What an answer says about a push, and which changes it so makes known. */
export type PushResults = {
  readonly results: readonly ReportedChange[];
  /** Change numbers that need not come through `changes`. */
  readonly known: readonly number[];
  readonly bytesShown: number;
};

/**
 * Chooses which notes an answer shows: those that are not what was sent, as long as they fit. One
 * that does not fit, or whose content was not read because of that, comes through `changes` instead, or the cursor has passed it, and the client has it.
 */
export const buildResults = (pushed: readonly PushedChange[], bytesMax: number): PushResults => {
  let bytesShown = 0;
  const known: number[] = [];
  const results = pushed.map((entry) => {
    const { note, status, revision } = entry.outcome;
    const isWanted = note !== null && includesNote(entry);
    const bytes = isWanted ? wireBytesOf(note) : 0;
    const isNoteShown = isWanted && hasContent(note) && bytesShown + bytes <= bytesMax;
    bytesShown += isNoteShown ? bytes : 0;
    const isReported = status !== 'rejected' && (isNoteShown || !isWanted);
    if (isReported && note?.revision === revision) {
      known.push(note.changeNo);
    }
    return { ...entry, isNoteShown };
  });
  return { results, known, bytesShown };
};
