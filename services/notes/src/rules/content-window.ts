import type { NoteWindow } from '@commonplace/contracts/notes';

export type WindowRequest = {
  /** The first byte; absent: 0. */
  readonly from?: number | undefined;
  /** Absent: to the end. */
  readonly maxBytes?: number | undefined;
};

/**
 * Cuts a window out of a content, in bytes of its UTF-8 and between characters. It has at least one character
 * unless it begins at the end, so that a reader of windows always advances.
 */
export const contentWindow = (
  content: string,
  { from = 0, maxBytes }: WindowRequest,
): NoteWindow & { readonly text: string } => {
  const bytes = Buffer.from(content);
  const size = bytes.length;
  const start = characterStart(bytes, Math.min(from, size));
  const end = characterStart(bytes, Math.min(start + (maxBytes ?? size), size));
  const to = end > start ? end : nextCharacter(bytes, start);
  return { text: bytes.toString('utf8', start, to), from: start, to, size, truncated: to < size };
};

const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;

/** The start of the character that has this byte. */
const characterStart = (bytes: Buffer, position: number): number => {
  let start = position;
  while (isContinuation(bytes[start])) {
    start -= 1;
  }
  return start;
};

const nextCharacter = (bytes: Buffer, position: number): number => {
  let next = Math.min(position + 1, bytes.length);
  while (isContinuation(bytes[next])) {
    next += 1;
  }
  return next;
};
