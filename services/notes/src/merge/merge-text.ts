import { diff3MergeRegions } from 'node-diff3';
import { splitBlocks } from './split-blocks.ts';

/**
 * Bounds of the work of one merge. `pairsMax` limits the pairs of equal lines in two texts, which
 * repeated lines multiply (2,000 identical ones make four million), and `stepsMax` the steps of the
 * search for the longest common subsequence, whose inner loop walks the candidates for every pair.
 */
const pairsMax = 100_000;
const stepsMax = 25_000_000;

/**
 * Merges two descendants of a text by lines. Null when both changed the same place, or when comparing
 * them would take too long; nothing is ever guessed.
 */
export const mergeText = (base: string, ours: string, theirs: string): string | null => {
  if (base === theirs || ours === theirs) {
    return ours;
  }
  if (base === ours) {
    return theirs;
  }
  const texts = internAll([base, ours, theirs].map(splitBlocks));
  const { head, tail } = commonEnds(texts.numbers);
  const [o, a, b] = texts.numbers.map((numbers) => numbers.slice(head, numbers.length - tail));
  if (!o || !a || !b || mergeSteps(o, a, b) > stepsMax) {
    return null;
  }
  const middle = mergeNumbers(o, a, b);
  if (!middle) {
    return null;
  }
  const whole = texts.numbers[0] ?? [];
  const merged = [...whole.slice(0, head), ...middle, ...whole.slice(whole.length - tail)];
  return merged.map((number) => texts.blocks[number]).join('\n');
};

/** The work that merging these would take, in steps of the search; infinite beyond `pairsMax`. */
export const mergeSteps = (
  base: readonly number[],
  ours: readonly number[],
  theirs: readonly number[],
): number => diffSteps(base, ours) + diffSteps(base, theirs);

const diffSteps = (from: readonly number[], to: readonly number[]): number => {
  const occurrences = new Map<number, number>();
  for (const block of to) {
    occurrences.set(block, (occurrences.get(block) ?? 0) + 1);
  }
  const pairs = from.reduce((sum, block) => sum + (occurrences.get(block) ?? 0), 0);
  return pairs > pairsMax ? Infinity : pairs * Math.min(from.length, to.length);
};

/** Gives every distinct block a number: comparing numbers is what makes the search fast. */
const internAll = (texts: readonly (readonly string[])[]) => {
  const numberOf = new Map<string, number>();
  const intern = (block: string): number => {
    const number = numberOf.get(block) ?? numberOf.size;
    numberOf.set(block, number);
    return number;
  };
  const numbers = texts.map((blocks) => blocks.map(intern));
  return { numbers, blocks: [...numberOf.keys()] };
};

/** How many blocks all of them begin and end with; the ends do not overlap. */
const commonEnds = (texts: readonly (readonly number[])[]) => {
  const shortest = Math.min(...texts.map((text) => text.length));
  const first = texts[0] ?? [];
  let head = 0;
  while (head < shortest && texts.every((text) => text[head] === first[head])) {
    head += 1;
  }
  let tail = 0;
  while (
    tail < shortest - head &&
    texts.every((text) => text.at(-1 - tail) === first.at(-1 - tail))
  ) {
    tail += 1;
  }
  return { head, tail };
};

/** Three-way merge of numbered blocks; null when one region was changed differently on both sides. */
const mergeNumbers = (o: number[], a: number[], b: number[]): number[] | null => {
  const merged: number[] = [];
  for (const region of diff3MergeRegions(a, o, b)) {
    if (region.stable) {
      merged.push(...region.bufferContent);
    } else if (isSame(region.aContent, region.bContent)) {
      merged.push(...region.aContent);
    } else {
      return null;
    }
  }
  return merged;
};

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((block, index) => block === b[index]);
