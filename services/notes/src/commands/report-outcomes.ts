import { hasContent } from '../queries/note-row.ts';
import { wireBytesOf } from './note-versions.ts';
import type { Pushed } from './pushed.ts';
import { showsNote } from './shows-note.ts';

/** What became of a change, and whether the answer carries the note. */
type Reported = Pushed & { readonly isNoteShown: boolean };

/** What an answer says about a push, and which changes it so makes known. */
export type Report = {
  readonly results: readonly Reported[];
  /** Change numbers that need not come through `changes`. */
  readonly known: readonly number[];
  readonly bytesShown: number;
};

/**
 * Chooses which notes an answer shows: those that are not what was sent, as long as they fit. One
 * that does not fit, or whose content was not read because of that, comes through `changes` instead, or the cursor has passed it, and the client has it.
 */
export const reportOutcomes = (pushed: readonly Pushed[], bytesMax: number): Report => {
  let bytesShown = 0;
  const known: number[] = [];
  const results = pushed.map((entry) => {
    const { note, status, revision } = entry.outcome;
    const isWanted = note !== null && showsNote(entry);
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
