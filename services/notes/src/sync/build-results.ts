import { noteInput, type SyncChange, type NoteInput } from '@commonplace/contracts/notes';
import { isTaken } from '../rules/decision.ts';
import type { Outcome } from '../write/change.ts';
import { hasContent, type StoredNote } from '../queries/note-rows.ts';
import { wireBytesOf } from '../write/note-versions.ts';

/** A change of a client, and its outcome. */
export type PushedChange = { readonly change: SyncChange; readonly outcome: Outcome };

/** A change of an earlier part that was not rejected, and its outcome. */
export type PriorPush = {
  readonly change: SyncChange;
  readonly outcome: Pick<Outcome, 'status' | 'revision'>;
};

/** Whether the stored note differs from what was sent, so that the response includes it. */
export const includesNote = ({ change, outcome: { status, note } }: PushedChange): boolean =>
  status === 'merged' ||
  status === 'conflict' ||
  (isTaken(status) && change.op === 'put' && hasOtherTags(change.note, note));

/** Tags are stored trimmed, normalized, distinct and sorted. A replay has no note. */
const hasOtherTags = (note: unknown, row: StoredNote | null): boolean => {
  const { tags: sent = [] } = note as NoteInput;
  const stored = row?.tags ?? noteInput.shape.tags.parse(sent);
  return stored.length !== sent.length || stored.some((tag, index) => tag !== sent[index]);
};

/** A change with its outcome, and whether the response includes the note. */
type ReportedChange = PushedChange & { readonly isNoteShown: boolean };

/** The results of a push, and the change numbers they cover. */
export type PushResults = {
  readonly results: readonly ReportedChange[];
  /** Change numbers that `changes` leaves out. */
  readonly known: readonly number[];
  readonly bytesShown: number;
};

/**
 * Chooses which notes the response includes: those that differ from what was sent, within `bytesMax`. A note that
 * does not fit, or was read without content, comes through `changes`, unless the cursor has passed it.
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
    const isReported = isTaken(status) && (isNoteShown || !isWanted);
    if (isReported && note?.revision === revision) {
      known.push(note.changeNo);
    }
    return { ...entry, isNoteShown };
  });
  return { results, known, bytesShown };
};
