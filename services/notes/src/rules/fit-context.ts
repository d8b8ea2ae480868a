import type { Context } from '@commonplace/contracts/notes';
import { contentWindow } from './content-window.ts';

type ContextNote = Context['notes'][number];
type OmittedNote = Context['omitted'][number];

/** A note that may go into a context, with as much text as was read of it; none: only its title may. */
export type ContextCandidate = Omit<ContextNote, 'truncated'>;

export type FittedContext = Pick<Context, 'notes' | 'omitted'>;

/** The bytes that the parts of a context take in its Markdown. */
export type ContextMeasures = {
  /** Of everything but the notes. */
  readonly fixedBytes: number;
  readonly noteBytes: (note: ContextNote) => number;
  readonly omittedBytes: (note: OmittedNote) => number;
};

/** Between passages that stand for a text. */
const gap = '\n…\n';

/** Less text of a note than this says nothing. */
const textBytesMin = 200;

/** A candidate, and what of it is shown; null: not even its title. */
type Slot = {
  readonly candidate: ContextCandidate;
  shown: { readonly note: ContextNote } | { readonly omitted: OmittedNote } | null;
};

/**
 * Fills a budget with notes in order of value. At first a note gets at most a quarter of the budget, so that one long
 * note does not push out all others, and a tenth is left for the titles of notes without room. What is left then goes to
 * notes without room, and to those that were cut. Of a match without room for all of it, its passages are shown.
 */
export const fitContext = (
  candidates: readonly ContextCandidate[],
  bytesMax: number,
  measures: ContextMeasures,
): FittedContext => {
  const quarter = Math.floor(bytesMax / 4);
  const available = Math.max(0, bytesMax - measures.fixedBytes);
  const slots = candidates.map((candidate): Slot => ({ candidate, shown: null }));
  let left = Math.floor(available * 0.9);
  let leftForTitles = available - left;
  for (const slot of slots) {
    const note = fitNote(slot.candidate, { textMax: quarter, bytesMax: left }, measures);
    const omitted = omittedOf(slot.candidate);
    if (note) {
      slot.shown = { note };
      left -= measures.noteBytes(note);
    } else if (leftForTitles >= measures.omittedBytes(omitted)) {
      slot.shown = { omitted };
      leftForTitles -= measures.omittedBytes(omitted);
    }
  }
  fillUp(slots, { spare: left + leftForTitles, quarter }, measures);
  return {
    notes: slots.flatMap(({ shown }) => (shown && 'note' in shown ? [shown.note] : [])),
    omitted: slots.flatMap(({ shown }) => (shown && 'omitted' in shown ? [shown.omitted] : [])),
  };
};

type Spare = { readonly spare: number; readonly quarter: number };

/** Spends what is left: first on notes without text, then on the rest of those that were cut. */
const fillUp = (
  slots: readonly Slot[],
  { spare, quarter }: Spare,
  measures: ContextMeasures,
): void => {
  let left = spare;
  const improve = (slot: Slot, textMax: number): void => {
    const paid = costOf(slot, measures);
    const note = fitNote(slot.candidate, { textMax, bytesMax: left + paid }, measures);
    if (note && bytesOf(note.text) >= textBytesOf(slot)) {
      slot.shown = { note };
      left += paid - measures.noteBytes(note);
    }
  };
  slots.filter(isWithoutText).forEach((slot) => improve(slot, quarter));
  slots.filter(isCut).forEach((slot) => improve(slot, Infinity));
};

const isWithoutText = ({ shown }: Slot): boolean => shown === null || 'omitted' in shown;

const isCut = ({ candidate, shown }: Slot): boolean =>
  shown !== null && 'note' in shown && shown.note.text.length < candidate.text.length;

const textBytesOf = ({ shown }: Slot): number =>
  shown && 'note' in shown ? bytesOf(shown.note.text) : 0;

const costOf = ({ shown }: Slot, { noteBytes, omittedBytes }: ContextMeasures): number => {
  if (shown === null) {
    return 0;
  }
  return 'note' in shown ? noteBytes(shown.note) : omittedBytes(shown.omitted);
};

const omittedOf = ({ id, title, reason }: ContextCandidate): OmittedNote => ({ id, title, reason });

type Room = { readonly textMax: number; readonly bytesMax: number };

/** Cuts of a text are tried so often: its fence may be longer than that of a shorter text. */
const attemptsMax = 4;

/** The note with as much of its text as there is room for; null if that is too little, or its text was not read. */
const fitNote = (
  candidate: ContextCandidate,
  { textMax, bytesMax }: Room,
  { noteBytes }: ContextMeasures,
): ContextNote | null => {
  const { passages = [], ...plain } = candidate;
  const { text, size, deleted } = plain;
  const bytes = bytesOf(text);
  if (passages.length > 0 && (bytes < size || bytes > Math.min(textMax, bytesMax))) {
    const shown = passages.map((one) => one.text).join(gap);
    const note = { ...plain, passages, text: shown, truncated: true };
    if (noteBytes(note) <= bytesMax) {
      return note;
    }
  }
  if (bytes === 0 && size > 0 && !deleted) {
    return null;
  }
  let room = Math.min(textMax, bytesMax);
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    if (room < Math.min(bytes, textBytesMin)) {
      return null;
    }
    const shown = bytes <= room ? text : startOf(text, room);
    const note = { ...plain, text: shown, truncated: bytesOf(shown) < size };
    const excess = noteBytes(note) - bytesMax;
    if (excess <= 0) {
      return note;
    }
    room = bytesOf(shown) - excess;
  }
  return null;
};

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** The longest start of a text with at most this many bytes, at the end of a line if one is near. */
export const startOf = (text: string, bytesMax: number): string => {
  const { text: cut } = contentWindow(text, { maxBytes: bytesMax });
  const line = cut.lastIndexOf('\n');
  return line > cut.length * 0.8 ? cut.slice(0, line + 1) : cut;
};
