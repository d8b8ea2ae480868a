import type { SearchExplanation } from '@commonplace/contracts/notes';
import type { RankedNote, Ranking } from './rank-notes.ts';

/** What the score of a result is made of; null: it was compared by few words only. */
export const explain = (
  { score, parts }: RankedNote,
  { groups, weights }: Pick<Ranking, 'groups' | 'weights'>,
): SearchExplanation | null =>
  parts && {
    score,
    words: groups.map(({ text }, index) => ({
      word: text,
      weight: weights[index] ?? 0,
      count: parts.counts[index] ?? 0,
    })),
    parts: { words: parts.words, nearness: parts.nearness },
  };
