import { diffWordsWithSpace } from 'diff';
import type { DiffPart } from './diff-lines.ts';

/** A piece of a line; `isChanged`: the other side has something else there. */
type Piece = { readonly text: string; readonly isChanged: boolean };

/** The lines of a part of a difference. */
export type DiffLines = {
  readonly sign: '+' | '-' | ' ';
  readonly lines: readonly (readonly Piece[])[];
};

/** Longer passages that replace each other have little in common by words. */
const charactersMax = 20_000;
const wordsMax = 400;

/** Splits the parts of a difference into lines, with the changed words of lines that replace others marked. */
export const withChangedWords = (parts: readonly DiffPart[]): readonly DiffLines[] =>
  parts.map((part, index) => {
    const { added, removed, value } = part;
    const other = removed ? parts[index + 1] : parts[index - 1];
    const isReplaced = (removed && other?.added) || (added && other?.removed);
    const sign = added ? '+' : removed ? '-' : ' ';
    const pieces = isReplaced && other ? changedPieces(part, other) : null;
    return { sign, lines: splitLines(pieces ?? [{ text: value, isChanged: false }]) };
  });

/** The pieces of one side; null if the sides are too long or too different. */
const changedPieces = (part: DiffPart, other: DiffPart): readonly Piece[] | null => {
  if (part.value.length + other.value.length > charactersMax) {
    return null;
  }
  const [before, after] = part.removed ? [part.value, other.value] : [other.value, part.value];
  return (
    diffWordsWithSpace(before, after, { maxEditLength: wordsMax })
      ?.filter(({ added, removed }) => (part.removed ? !added : !removed))
      .map(({ value, added, removed }) => ({ text: value, isChanged: added || removed })) ?? null
  );
};

const splitLines = (pieces: readonly Piece[]): Piece[][] => {
  const lines: Piece[][] = [[]];
  for (const { text, isChanged } of pieces) {
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) {
        lines.push([]);
      }
      if (line !== '') {
        lines.at(-1)?.push({ text: line, isChanged });
      }
    }
  }
  // The last line feed ends a line and begins none.
  return lines.length > 1 && lines.at(-1)?.length === 0 ? lines.slice(0, -1) : lines;
};
