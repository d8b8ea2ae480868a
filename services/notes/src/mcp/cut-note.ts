import { AppError } from '@commonplace/contracts/core';
import type { ReadNote } from '@commonplace/contracts/notes';
import { sectionAt } from '../edit/edit-at-heading.ts';
import { markdownOutline } from '../edit/markdown-outline.ts';
import { contentWindow } from '../rules/content-window.ts';

export type CutRequest = {
  readonly section?: string | undefined;
  readonly fromLine?: number | undefined;
  readonly toLine?: number | undefined;
  readonly from?: number | undefined;
  readonly maxBytes: number;
};

/** A part of a note. */
export type CutNote = {
  readonly text: string;
  /** Which part it is; null: the whole content. */
  readonly shown: string | null;
  /** How to read on; null at the end. */
  readonly next: string | null;
};

/** Finding the headings of a longer text would hold the event loop. */
const outlinedCharactersMax = 64 * 1024;

/** The part of a note that was requested: a section, lines, or a window of bytes. */
export const cutNote = (
  note: Pick<ReadNote, 'content' | 'window'>,
  request: CutRequest,
): CutNote => {
  if (request.section !== undefined) {
    return cutSection(note.content, request.section, request.maxBytes);
  }
  if (request.fromLine !== undefined || request.toLine !== undefined) {
    return cutLines(note.content, request);
  }
  const { text, ...window } = note.window
    ? { text: note.content, ...note.window }
    : contentWindow(note.content, request);
  const { from, to, size, truncated } = window;
  return {
    text,
    shown: from === 0 && !truncated ? null : `bytes ${from} to ${to} of ${size}`,
    next: truncated ? `call again with from ${to}` : null,
  };
};

const cutSection = (content: string, heading: string, maxBytes: number): CutNote => {
  if (content.length > outlinedCharactersMax) {
    throw new AppError(
      'validation_failed',
      'The note is too long to find a section; find it with search_notes and read by lines.',
    );
  }
  const found = sectionAt(content, heading, markdownOutline(content));
  if ('code' in found) {
    const { code, detail, extensions = {} } = found;
    throw new AppError(code, detail, { extensions });
  }
  const section = content.slice(found.start, found.end);
  const { text, to, truncated } = contentWindow(section, { maxBytes });
  const begin = Buffer.byteLength(content.slice(0, found.start));
  return {
    text,
    shown: `section ${heading}`,
    next: truncated ? `call again with from ${begin + to}, without section` : null,
  };
};

const cutLines = (content: string, { fromLine = 1, toLine, maxBytes }: CutRequest): CutNote => {
  // As search, blame, differences and edits count lines: a lone CR ends none.
  const lines = content.split(/(?<=\n)/);
  if (fromLine > lines.length) {
    return { text: '', shown: `nothing: the note ends with line ${lines.length}`, next: null };
  }
  const last = Math.min(toLine ?? lines.length, lines.length);
  const wanted = lines.slice(fromLine - 1, last);
  let bytes = 0;
  const fitting = wanted.filter((line) => (bytes += Buffer.byteLength(line)) <= maxBytes).length;
  const shownTo = fromLine - 1 + fitting;
  const isCut = fitting < wanted.length;
  return {
    // A copy: the slice of a single line would hold the whole text.
    text: Buffer.from(wanted.slice(0, fitting).join('')).toString(),
    shown: `lines ${fromLine} to ${shownTo} of ${lines.length}`,
    next: isCut
      ? `call again with fromLine ${shownTo + 1}${fitting === 0 ? ' and more maxBytes, or with from' : ''}`
      : null,
  };
};
