import type { NoteId } from '@commonplace/contracts/core';
import type { Similarity } from '../embeddings/vectors.ts';
import { resultsMax, type RankedNote, type Ranking } from './rank-notes.ts';
import { sumOf } from './score-note.ts';

/** If a note has words of so much of the weight of a query, the ranking by words is right: nothing is blended. */
const coverageEnough = 0.5;
/** The first notes by words keep their places. */
const leading = 2;

/** Whether a note has most of the words of the query. */
export const isCoveredByWords = ({
  notes,
  groups,
  weights,
}: Pick<Ranking, 'notes' | 'groups' | 'weights'>): boolean => {
  const all = sumOf(groups.keys(), weights);
  return notes.some((note) => coveredBy(note, weights) >= coverageEnough * all);
};

/**
 * Blends the notes found by words with those that are similar to the query, perhaps without any of its words: after the first
 * by words, the most similar note and the next one by words alternate. Measured, see docs/adr/0046.
 */
export const blend = (
  notes: readonly RankedNote[],
  similarities: ReadonlyMap<NoteId, Similarity>,
): readonly RankedNote[] => {
  const byWords = new Map(notes.map((note) => [note.id, note]));
  const similar = [...similarities]
    .toSorted(([, a], [, b]) => b.cosine - a.cosine)
    .map(([id]) => byWords.get(id) ?? { id, score: 0, parts: null });
  const blended = new Map<NoteId, RankedNote>();
  const add = (note: RankedNote | undefined) => note && blended.set(note.id, note);
  notes.slice(0, leading).forEach(add);
  for (let place = 0; place < Math.max(notes.length, similar.length); place += 1) {
    add(similar[place]);
    add(notes[leading + place]);
  }
  return [...blended.values()].slice(0, resultsMax);
};

const coveredBy = ({ parts }: RankedNote, weights: readonly number[]): number =>
  parts === null
    ? 0
    : sumOf(
        [...weights.keys()].filter((group) => (parts.counts[group] ?? 0) > 0),
        weights,
      );
