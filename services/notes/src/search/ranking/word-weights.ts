import type { WordGroup } from './word-groups.ts';

/** Of a function word, and of a word that a misspelled one may stand for. */
const functionWordMax = 0.3;
const correctedFactor = 0.5;

/** How often the words of a query occur: in how many notes of all. */
export type WordFrequencies = {
  readonly notes: number;
  /** Of each group; 0: in no note. */
  readonly counts: readonly number[];
};

/** The weights of words: the rarer, the more a word says about a note. */
export const weightsOf = (
  groups: readonly WordGroup[],
  { notes, counts }: WordFrequencies,
  corrections: ReadonlyMap<string, readonly string[]>,
): number[] =>
  groups.map(({ text, isFunctionWord }, group) => {
    const count = Math.min(counts[group] ?? 0, notes);
    const rarity = Math.log(1 + (notes - count + 0.5) / (count + 0.5));
    const weight = corrections.has(text) ? rarity * correctedFactor : rarity;
    return isFunctionWord ? Math.min(weight, functionWordMax) : weight;
  });
