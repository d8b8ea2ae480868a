import type { AnalysedText, Sentence } from './analyse-note.ts';
import type { WordHit } from './group-matcher.ts';

/** BM25: how soon further occurrences count less, and how much the length of a note matters. */
const bm25 = { k1: 1.2, b: 0.75 } as const;
/** Occurrences in the title and in tags and folder, in occurrences in the content. */
const fieldWeights = { title: 2, labels: 1 } as const;
/** An inflected form, in occurrences of the word itself. */
const inflectedWeight = 0.9;
/** How much words near each other matter, beside all of a note. */
const nearnessWeight = 0.5;

/** UTF-16 units of a passage. */
export const passageLength = 240;

/** What a note is scored by. */
export type ScoredText = {
  readonly titleHits: readonly WordHit[];
  readonly labelHits: readonly WordHit[];
  readonly analysed: AnalysedText;
  /** Of all its fields. */
  readonly words: number;
};

export type ScoreParts = {
  readonly words: number;
  readonly nearness: number;
  /** Weighted occurrences of each word of the query. */
  readonly counts: readonly number[];
};

/** The score of a note by all words of a query, weighted by their rarity. */
export const scoreNote = (
  { titleHits, labelHits, analysed, words }: ScoredText,
  weights: readonly number[],
  wordAverage: number,
): ScoreParts => {
  const counts = weights.map(() => 0);
  const add = (hits: readonly WordHit[], weight: number) => {
    for (const { group, isExact } of hits) {
      counts[group] = (counts[group] ?? 0) + (isExact ? weight : weight * inflectedWeight);
    }
  };
  add(titleHits, fieldWeights.title);
  add(labelHits, fieldWeights.labels);
  for (const { hits } of analysed.sentences) {
    add(hits, 1);
  }
  return {
    words: scoreCounts(counts, weights, words / Math.max(1, wordAverage)),
    nearness: nearnessWeight * bestWindow(analysed.sentences, weights),
    counts,
  };
};

/** BM25 of weighted occurrences; `length`: of the note, in those of an average one. */
const scoreCounts = (
  counts: readonly number[],
  weights: readonly number[],
  length: number,
): number => {
  const { k1, b } = bm25;
  const norm = k1 * (1 - b + b * length);
  return counts.reduce(
    (sum, count, group) => sum + ((weights[group] ?? 0) * count * (k1 + 1)) / (count + norm),
    0,
  );
};

/** The greatest sum of weights of different words within the length of a passage. */
const bestWindow = (sentences: readonly Sentence[], weights: readonly number[]): number =>
  sentences.reduce(
    (best, { hits }, from) =>
      hits.length === 0 ? best : Math.max(best, sumOf(groupsFrom(sentences, from), weights)),
    0,
  );

/** Sentences of a passage at most: shorter ones are rare. */
const sentencesMax = 8;

/** The words of a sentence and of those after it that fit in a passage with it. */
const groupsFrom = (sentences: readonly Sentence[], from: number): ReadonlySet<number> => {
  const start = sentences[from]?.start ?? 0;
  const near = sentences
    .slice(from, from + sentencesMax)
    .filter((one) => one.start === start || one.end - start <= passageLength);
  return new Set(near.flatMap(({ hits }) => hits.map(({ group }) => group)));
};

/** The sum of the weights of groups. */
export const sumOf = (groups: Iterable<number>, weights: readonly number[]): number => {
  let sum = 0;
  for (const group of groups) {
    sum += weights[group] ?? 0;
  }
  return sum;
};
