import type { Context, NotePassage } from '@commonplace/contracts/notes';
import { contentWindow } from './content-window.ts';

type ContextNote = Context['notes'][number];

/** A note that may go into a context, with as much text as was read of it; none: only its title may. */
export type ContextCandidate = Omit<ContextNote, 'truncated'>;

/** Between passages that stand for a text. */
const gap = '\n…\n';

export type FittedContext = Pick<Context, 'notes' | 'omitted'>;

/** Bytes of the Markdown beside the notes: the agent, headings and the cursor. */
const fixedBytes = 1_400;
/** Bytes of a note beside its title, folder and text: id, author, time and marks. */
const frameBytes = 420;
/** Less text of a note than this says nothing. */
const textBytesMin = 200;

/**
 * Fills a budget with notes in order of value. A note gets at most a quarter of the budget, so that one long note
 * does not push out all others. A tenth is left for the titles of notes without room; `omitted` is limited by it. Of a
 * match without room for all of it, its passages are shown. What is left at the end goes to the notes that were cut.
 */
export const fitContext = (
  candidates: readonly ContextCandidate[],
  bytesMax: number,
): FittedContext => {
  const notes: ContextNote[] = [];
  const omitted: FittedContext['omitted'] = [];
  const available = Math.max(0, bytesMax - fixedBytes);
  let left = Math.floor(available * 0.9);
  let leftForTitles = available - left;
  for (const candidate of candidates) {
    const { id, title, reason, size } = candidate;
    const frame = frameBytes + bytesOf(title) + bytesOf(candidate.folder);
    const room = Math.min(left - frame, Math.floor(bytesMax / 4));
    const bytes = bytesOf(candidate.text);
    const isRead = bytes > 0 || size === 0 || candidate.deleted;
    if (isRead && room >= Math.min(bytes, textBytesMin)) {
      const note = fitNote(candidate, room);
      notes.push(note);
      left -= frame + bytesOf(note.text);
    } else if (leftForTitles >= titleBytes(title)) {
      omitted.push({ id, title, reason });
      leftForTitles -= titleBytes(title);
    }
  }
  const texts = new Map(candidates.map(({ id, text }) => [id, text]));
  return { notes: fillUp(notes, texts, left + leftForTitles), omitted };
};

/** The note with its text, or as much of it as there is room for. */
const fitNote = ({ passages = [], ...candidate }: ContextCandidate, room: number): ContextNote => {
  const { text, size } = candidate;
  if (bytesOf(text) <= room && bytesOf(text) >= size) {
    return { ...candidate, text, truncated: false };
  }
  const parts = passages.filter(
    (_one, index) =>
      bytesOf(
        passages
          .slice(0, index + 1)
          .map((one) => `${linesOf(one)}${one.text}`)
          .join(gap),
      ) <= room,
  );
  if (parts.length > 0) {
    const shown = parts.map((one) => one.text).join(gap);
    return { ...candidate, text: shown, passages: parts, truncated: true };
  }
  const start = bytesOf(text) <= room ? text : startOf(text, room);
  return { ...candidate, text: start, truncated: bytesOf(start) < size };
};

/** What a passage is shown under takes bytes too. */
const linesOf = ({ fromLine, toLine, headings }: NotePassage): string =>
  `(lines ${fromLine}-${toLine}: ${headings.join(' > ')})\n`;

/** Gives the rest of the budget to the notes that were cut, the first ones first. */
const fillUp = (
  notes: readonly ContextNote[],
  texts: ReadonlyMap<string, string>,
  bytes: number,
): ContextNote[] => {
  let left = bytes;
  return notes.map((note) => {
    const whole = texts.get(note.id) ?? '';
    const before = bytesOf(note.text);
    if (!note.truncated || left < textBytesMin) {
      return note;
    }
    const text = bytesOf(whole) <= before + left ? whole : startOf(whole, before + left);
    if (bytesOf(text) <= before || (note.passages && bytesOf(text) < note.size)) {
      return note;
    }
    left -= bytesOf(text) - before;
    const { passages: _passages, ...rest } = note;
    return { ...rest, text, truncated: bytesOf(text) < note.size };
  });
};

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** A line with title, id and reason. */
const titleBytes = (title: string): number => bytesOf(title) + 60;

/** The longest start of a text with at most this many bytes, at the end of a line if one is near. */
export const startOf = (text: string, bytesMax: number): string => {
  const { text: cut } = contentWindow(text, { maxBytes: bytesMax });
  const line = cut.lastIndexOf('\n');
  return line > cut.length * 0.8 ? cut.slice(0, line + 1) : cut;
};
