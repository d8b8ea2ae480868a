import type { NoteId } from '@commonplace/contracts/core';
import type { RankedNote, Ranking } from './rank-notes.ts';
import { sumOf } from './score-note.ts';

/** If a note has words of so much of the weight of a query, the ranking by words is right: nothing is blended. */
const coverageEnough = 0.5;
/** The first notes by words keep their places. */
const leading = 3;

/**
 * Blends the ranking by words with that by similarity, where no note has the words of the query: after the first notes by
 * words, the most similar note and the next one by words alternate. Measured, see docs/adr/0046.
 */
export const blend = (
  { notes, groups, weights }: Pick<Ranking, 'notes' | 'groups' | 'weights'>,
  similarities: ReadonlyMap<string, number>,
): readonly RankedNote[] => {
  const all = sumOf(groups.keys(), weights);
  const coverage = Math.max(0, ...notes.map((note) => coveredBy(note, weights) / all));
  if (similarities.size === 0 || coverage >= coverageEnough) {
    return notes;
  }
  const similar = notes
    .filter(({ id }) => similarities.has(id))
    .toSorted((a, b) => (similarities.get(b.id) ?? 0) - (similarities.get(a.id) ?? 0));
  const blended = new Map<NoteId, RankedNote>();
  const add = (note: RankedNote | undefined) => note && blended.set(note.id, note);
  notes.slice(0, leading).forEach(add);
  for (let place = 0; place < notes.length; place += 1) {
    add(similar[place]);
    add(notes[leading + place]);
  }
  return [...blended.values()];
};

const coveredBy = ({ parts }: RankedNote, weights: readonly number[]): number =>
  parts === null
    ? 0
    : sumOf(
        [...weights.keys()].filter((group) => (parts.counts[group] ?? 0) > 0),
        weights,
      );
