import type { BlockLines } from './blocks-in-rows.ts';

/** The height of a label, as in the stylesheet. */
const heightPx = 24;

/**
 * Where the labels beside a block begin, as CSS lengths: each beside its line, as far as the lines of a block are equally high, but
 * below the label before it, and high enough for those after it. `linesBefore` ascends: the lines of the block above each
 * label, negative if its line is in a block before.
 */
export const placeLabels = (
  linesBefore: readonly number[],
  { from, to }: BlockLines,
): readonly string[] => {
  const tops: string[] = [];
  for (const [index, lines] of linesBefore.entries()) {
    const beside = `${round((100 * Math.max(0, lines)) / (to - from + 1))}%`;
    const before = tops.at(-1);
    const below = before === undefined ? beside : `max(${beside}, ${before} + ${heightPx}px)`;
    const last = `100% - ${(linesBefore.length - index) * heightPx}px`;
    tops.push(`min(${below}, ${last})`);
  }
  return tops;
};

const round = (percent: number): number => Math.round(percent * 100) / 100;
