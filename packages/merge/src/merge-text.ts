import { diff3MergeRegions, type IUnstableRegion } from 'node-diff3';
import { bodyOf, withEnd } from './final-line-feed.ts';
import { commonEnds, internAll } from './intern.ts';
import { withCrlf, withLineFeeds } from './line-feeds.ts';
import { splitBlocks } from './split-blocks.ts';
import type { Texts } from './texts.ts';
import { uniteAppended, uniteEnds } from './unite-ends.ts';

/**
 * Bounds of the work of one merge. `pairsMax` limits the pairs of equal lines in two texts, which
 * repeated lines multiply (2,000 identical ones make four million), and `stepsMax` the steps of the
 * search for the longest common subsequence, whose inner loop walks the candidates for every pair.
 */
const pairsMax = 100_000;
export const stepsMax = 25_000_000;

/**
 * Merges two descendants of a text by lines; `ours` arrived first. If both only added lines at the same end of the
 * text, or only continued it, the lines of both are kept, ours before theirs, and what one of them added to the last line
 * stays in that line. Null when both changed the same place in another way, or when the comparison would take too long.
 * In the other order of arrival the result has the same lines, or is null as well. Never guesses.
 */
export const mergeText = (base: string, ours: string, theirs: string): string | null => {
  const merged = mergeWithin({ base, ours, theirs }, stepsMax);
  return merged === tooCostly ? null : merged;
};

/** Returned instead of a merge that would exceed its step limit. */
export const tooCostly = Symbol('too costly');

/** As `mergeText`, within a step limit. */
export const mergeWithin = (texts: Texts, steps: number): string | null | typeof tooCostly => {
  const converted = withLineFeeds(texts);
  const merged = mergeLines(converted ?? texts, steps);
  return converted && typeof merged === 'string' ? withCrlf(merged) : merged;
};

const mergeLines = (texts: Texts, steps: number): string | null | typeof tooCostly => {
  const parts = mergeParts(texts, steps);
  if (parts === tooCostly) {
    return tooCostly;
  }
  return parts.every(isSettled)
    ? withEnd(texts, parts.flatMap(({ lines }) => lines).join('\n'))
    : uniteAppended(texts);
};

/** A stretch of a merge: lines that are in the result, or what both sides changed in different ways. */
export type MergePart =
  | { readonly kind: 'settled'; readonly lines: readonly string[] }
  | ({ readonly kind: 'overlap' } & Readonly<Record<keyof Texts, readonly string[]>>);

type Settled = Extract<MergePart, { readonly kind: 'settled' }>;

const isSettled = (part: MergePart): part is Settled => part.kind === 'settled';

const settled = (lines: readonly string[]): Settled => ({ kind: 'settled', lines });

/** The stretches of a merge, without the final line feed. */
export const mergeParts = (sides: Texts, steps: number): MergePart[] | typeof tooCostly => {
  const [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map(bodyOf) as Triple;
  if (base === theirs || ours === theirs) {
    return [settled([ours])];
  }
  if (base === ours) {
    return [settled([theirs])];
  }
  const texts = internAll([base, ours, theirs].map(splitBlocks));
  const { head, tail } = commonEnds(texts.numbers);
  const [o, a, b] = texts.numbers.map((numbers) => numbers.slice(head, numbers.length - tail));
  if (!o || !a || !b || mergeSteps(o, a, b) > steps) {
    return tooCostly;
  }
  const whole = textOf(texts, texts.numbers[0] ?? []);
  const [before, after] = [whole.slice(0, head), whole.slice(whole.length - tail)];
  const ends = { isStart: head === 0, isEnd: after.every((block) => block.trim() === '') };
  return [settled(before), ...mergeRegions(texts, { o, a, b }, ends), settled(after)];
};

type Triple = [base: string, ours: string, theirs: string];

/** The cost of a merge, in steps of the search; infinite beyond `pairsMax`. */
export const mergeSteps = (
  base: readonly number[],
  ours: readonly number[],
  theirs: readonly number[],
): number => diffSteps(base, ours) + diffSteps(base, theirs);

/** The cost of comparing two texts, in steps of the search; infinite beyond `pairsMax`. */
export const diffSteps = (from: readonly number[], to: readonly number[]): number => {
  const occurrences = new Map<number, number>();
  for (const block of to) {
    occurrences.set(block, (occurrences.get(block) ?? 0) + 1);
  }
  const pairs = from.reduce((sum, block) => sum + (occurrences.get(block) ?? 0), 0);
  return pairs > pairsMax ? Infinity : pairs * Math.min(from.length, to.length);
};

type Interned = { readonly blocks: readonly string[] };
type Sides = Readonly<Record<'o' | 'a' | 'b', number[]>>;
/** Whether the region touches the start and the end of the text. */
type Ends = { readonly isStart: boolean; readonly isEnd: boolean };

/** Three-way merge of numbered blocks. */
const mergeRegions = (texts: Interned, { o, a, b }: Sides, ends: Ends): MergePart[] =>
  diff3MergeRegions(a, o, b).map((region) => {
    if (region.stable) {
      return settled(textOf(texts, region.bufferContent));
    }
    const { oContent, aContent, bContent, oStart, oLength } = region;
    if (isSame(aContent, bContent)) {
      return settled(textOf(texts, aContent));
    }
    const united = uniteRegion(texts, region, {
      isStart: ends.isStart && oStart === 0,
      isEnd: ends.isEnd && oStart + oLength === o.length,
    });
    return united
      ? settled(united)
      : {
          kind: 'overlap',
          base: textOf(texts, oContent),
          ours: textOf(texts, aContent),
          theirs: textOf(texts, bContent),
        };
  });

/** The additions of both sides at an end of the text; null means another kind of change. */
const uniteRegion = (
  texts: Interned,
  { oContent, aContent, bContent }: IUnstableRegion<number>,
  { isStart, isEnd }: Ends,
): string[] | null => {
  const [base = [], ours = [], theirs = []] = [oContent, aContent, bContent].map((numbers) =>
    textOf(texts, numbers).flatMap((block) => block.split('\n')),
  );
  return (
    (isEnd ? uniteEnds({ at: 'end', base, ours, theirs }) : null) ??
    (isStart ? uniteEnds({ at: 'start', base, ours, theirs }) : null)
  );
};

/** The blocks of a row of numbers. */
const textOf = ({ blocks }: Interned, numbers: readonly number[]): string[] =>
  numbers.map((number) => blocks[number] ?? '');

/** Whether both sides have the same blocks. */
const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((block, index) => block === b[index]);
