import { lastLineOfBlock, lineOfBlock } from '../markdown/line-of-block.ts';
import type { LineRange } from './line-in-text.ts';

/** Where lines of a note are displayed. */
export type DisplayedLines = {
  /** How far their beginning is below the top of the window, in pixels. */
  readonly topPx: number;
  /** What they are in; none while their piece of a long note is not rendered. */
  readonly blocks: readonly HTMLElement[];
};

/** Finds lines of a note in its displayed text; null: nothing of it is displayed yet. */
export const displayedLines = (note: HTMLElement, lines: LineRange): DisplayedLines | null => {
  const piece = pieceOf(note, lines);
  const all = [...(piece ?? note).querySelectorAll<HTMLElement>('[data-line]')];
  const first = all.findLast((block) => lineOfBlock(block) <= lines.from) ?? all[0];
  if (first === undefined) {
    return piece && { topPx: topOf(piece, shareOfPiece(piece, lines)), blocks: [] };
  }
  const others = all.filter(
    (block) => lineOfBlock(block) > lines.from && lineOfBlock(block) <= lines.to,
  );
  return {
    topPx: topOf(first, shareBefore(first, lines.from)),
    // What contains others is not marked besides them.
    blocks: [first, ...others].filter(
      (block) => !others.some((other) => block !== other && block.contains(other)),
    ),
  };
};

/** A line of a note and how far its block is below the top of the window, in pixels. */
export type PlaceAtTop = { readonly line: number; readonly topPx: number };

/** Below the header of the page. */
const headerPx = 64;

/** What of a note is the first in the window; null: nothing of it is displayed. */
export const placeAtTop = (note: HTMLElement): PlaceAtTop | null => {
  const all = [...note.querySelectorAll<HTMLElement>('[data-line]')];
  const boxes = all.map((block) => ({ block, box: block.getBoundingClientRect() }));
  const first =
    boxes.findLast(({ box }) => box.top <= headerPx && box.bottom > headerPx) ??
    boxes.find(({ box }) => box.top > headerPx) ??
    boxes.at(-1);
  return first ? { line: lineOfBlock(first.block), topPx: first.box.top } : null;
};

/** The piece of a long note that has the first of the lines. */
const pieceOf = (note: HTMLElement, { from }: LineRange): HTMLElement | null =>
  [...note.querySelectorAll<HTMLElement>('[data-first-line]')].findLast(
    ({ dataset }) => Number(dataset['firstLine']) < from,
  ) ?? null;

/** How much of a block is above a line of it, if its lines are equally high. The marks around code are not displayed. */
export const shareBefore = (block: HTMLElement, line: number): number => {
  const from = lineOfBlock(block);
  const lines = lastLineOfBlock(block) - from + 1;
  const shown = block.tagName === 'PRE' ? linesOf(block) : lines;
  const above = line - from - (lines - shown >= 2 ? 1 : 0);
  return Math.min(1, Math.max(0, above / shown));
};

const linesOf = (block: HTMLElement): number =>
  (block.textContent ?? '').replace(/\n$/, '').split('\n').length;

const shareOfPiece = (piece: HTMLElement, { from }: LineRange): number => {
  const lines = (piece.textContent ?? '').split('\n').length;
  return Math.min(1, (from - 1 - Number(piece.dataset['firstLine'])) / lines);
};

const topOf = (element: HTMLElement, share: number): number => {
  const { top, height } = element.getBoundingClientRect();
  return top + share * height;
};
