import { diff3MergeRegions } from 'node-diff3';
import { internAll } from './intern.ts';
import { isSame, mergeSteps, stepsMax, textOf, uniteRegion, type Texts } from './merge-text.ts';
import { splitBlocks } from './split-blocks.ts';

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

/** Combines what does not overlap, and says what does. Null when the comparison would take too long. */
export const combineTexts = ({ base, ours, theirs }: Texts): Combined | null => {
  const texts = internAll([base, ours, theirs].map(splitBlocks));
  const [o = [], a = [], b = []] = texts.numbers;
  if (mergeSteps(o, a, b) > stepsMax) {
    return null;
  }
  const overlaps: Overlap[] = [];
  const sides = diff3MergeRegions(a, o, b).map((region): Record<Side, readonly string[]> => {
    if (region.stable) {
      return everywhere(textOf(texts, region.bufferContent));
    }
    const { oContent, aContent, bContent, oStart, oLength } = region;
    const united = isSame(aContent, bContent)
      ? textOf(texts, aContent)
      : uniteRegion(texts, region, {
          isStart: oStart === 0,
          isEnd: oStart + oLength === o.length,
        });
    if (united) {
      return everywhere(united);
    }
    const [before, first, second] = [oContent, aContent, bContent].map((numbers) =>
      textOf(texts, numbers),
    ) as [string[], string[], string[]];
    overlaps.push({
      base: before.join('\n'),
      ours: first.join('\n'),
      theirs: second.join('\n'),
    });
    return { ours: first, theirs: second, both: [...first, ...second] };
  });
  const joined = (side: Side): string => sides.flatMap((each) => each[side]).join('\n');
  return { overlaps, ours: joined('ours'), theirs: joined('theirs'), both: joined('both') };
};

type Side = 'ours' | 'theirs' | 'both';

const everywhere = (lines: readonly string[]): Record<Side, readonly string[]> => ({
  ours: lines,
  theirs: lines,
  both: lines,
});
