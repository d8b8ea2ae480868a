import type { Context } from '@commonplace/contracts/notes';
import { contentWindow } from './content-window.ts';

type ContextNote = Context['notes'][number];

/** A note that may go into a context, with as much text as was read of it; none: only its title may. */
export type ContextCandidate = Omit<ContextNote, 'truncated'>;

export type FittedContext = Pick<Context, 'notes' | 'omitted'>;

/** Bytes of the Markdown beside the notes: the agent, headings and the cursor. */
const fixedBytes = 1_400;
/** Bytes of a note beside its title, folder and text: id, author, time and marks. */
const frameBytes = 420;
/** Less text of a note than this says nothing. */
const textBytesMin = 200;

/**
 * Fills a budget with notes in order of value. A note gets at most a quarter of the budget, so that one long note
 * does not push out all others. A tenth is left for the titles of notes without room; `omitted` is limited by it.
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
      const text = bytes <= room ? candidate.text : startOf(candidate.text, room);
      notes.push({ ...candidate, text, truncated: bytesOf(text) < size });
      left -= frame + bytesOf(text);
    } else if (leftForTitles >= titleBytes(title)) {
      omitted.push({ id, title, reason });
      leftForTitles -= titleBytes(title);
    }
  }
  return { notes, omitted };
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
