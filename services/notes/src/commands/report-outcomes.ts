import type { Outcome } from './change.ts';
import type { Pushed } from './push-changes.ts';
import { showsNote } from './recall-notes.ts';

/** What became of a change, and whether the answer carries the note. */
type Reported = Pushed & { readonly isNoteShown: boolean };

/** What an answer says about a push, and which changes it so makes known. */
export type Report = {
  readonly results: readonly Reported[];
  /** Change numbers that need not come through `changes`. */
  readonly known: readonly number[];
};

/** The bytes of a note's text, about. */
const bytesOf = ({ note }: Outcome): number => (note ? note.size + 1_000 : 0);

/**
 * Chooses which notes an answer shows: those that are not what was sent, as long as they fit. One
 * that does not fit comes through `changes` instead; one that the cursor has passed already would
 * not come there, and is shown whatever its size.
 */
export const reportOutcomes = (
  pushed: readonly Pushed[],
  { afterChangeNo, bytesMax }: { readonly afterChangeNo: number; readonly bytesMax: number },
): Report => {
  let bytes = 0;
  const known: number[] = [];
  const results = pushed.map((entry) => {
    const { outcome } = entry;
    const { note, status, revision } = outcome;
    const isWanted = note !== null && showsNote(status);
    const fits = bytes + bytesOf(outcome) <= bytesMax;
    const isNoteShown = isWanted && (fits || note.changeNo <= afterChangeNo);
    bytes += isNoteShown ? bytesOf(outcome) : 0;
    const isReported = status !== 'rejected' && (isNoteShown || !isWanted);
    if (isReported && note?.revision === revision) {
      known.push(note.changeNo);
    }
    return { ...entry, isNoteShown };
  });
  return { results, known };
};
