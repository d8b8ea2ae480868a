import { withEnd } from './final-line-feed.ts';
import { withCrlf, withLineFeeds } from './line-feeds.ts';
import { mergeParts, stepsMax, tooCostly, type MergePart } from './merge-text.ts';
import type { Texts } from './texts.ts';
import { uniteAppended } from './unite-ends.ts';

/** Lines that both sides changed in different ways. */
export type Overlap = Texts;

/** Two descendants of a text that cannot be merged, and three ways out, which all keep what does not overlap. */
export type Combined = {
  readonly overlaps: readonly Overlap[];
  /** With the lines of one side where both changed the same. */
  readonly ours: string;
  readonly theirs: string;
  /** With the lines of both sides there, ours first. */
  readonly both: string;
};

/**
 * Combines what does not overlap, and says what does: nothing where `mergeText` merges. Null when the comparison would take
 * too long.
 */
export const combineTexts = (texts: Texts): Combined | null => {
  const converted = withLineFeeds(texts);
  const combined = combineLines(converted ?? texts);
  return converted && combined ? combinedWithCrlf(combined) : combined;
};

const combinedWithCrlf = ({ overlaps, ours, theirs, both }: Combined): Combined => ({
  overlaps: overlaps.map((overlap) => ({
    base: withCrlf(overlap.base),
    ours: withCrlf(overlap.ours),
    theirs: withCrlf(overlap.theirs),
  })),
  ours: withCrlf(ours),
  theirs: withCrlf(theirs),
  both: withCrlf(both),
});

const combineLines = (texts: Texts): Combined | null => {
  const parts = mergeParts(texts, stepsMax);
  if (parts === tooCostly) {
    return null;
  }
  const overlaps = parts.flatMap((part) => (part.kind === 'overlap' ? [overlapOf(part)] : []));
  const whole = overlaps.length > 0 ? uniteAppended(texts) : null;
  if (whole !== null) {
    return { overlaps: [], ours: whole, theirs: whole, both: whole };
  }
  const choose = (linesOf: (part: OverlapPart) => readonly string[]): string => {
    const lines = parts.flatMap((part) => (part.kind === 'settled' ? part.lines : linesOf(part)));
    return withEnd(texts, lines.join('\n'));
  };
  return {
    overlaps,
    ours: choose(({ ours }) => ours),
    theirs: choose(({ theirs }) => theirs),
    both: choose(({ ours, theirs }) => [...ours, ...theirs]),
  };
};

type OverlapPart = Extract<MergePart, { readonly kind: 'overlap' }>;

const overlapOf = ({ base, ours, theirs }: OverlapPart): Overlap => ({
  base: base.join('\n'),
  ours: ours.join('\n'),
  theirs: theirs.join('\n'),
});
