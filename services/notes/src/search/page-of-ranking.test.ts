import { describe, expect, it } from '@jest/globals';
import { newId, noteId } from '@commonplace/contracts/core';
import { pageOfRanking, type RankedPosition } from './page-of-ranking.ts';
import type { RankedNote } from './ranking/rank-notes.ts';

const notes: RankedNote[] = Array.from({ length: 7 }, () => ({
  id: noteId.parse(newId()),
  score: 1,
  parts: null,
}));

describe('a page of a ranking by words and meaning', () => {
  it('neither repeats nor leaves out a note when the next page is in another order', () => {
    const seen: string[] = [];
    let after: RankedPosition | null = null;
    for (const order of [notes, notes.toReversed(), notes, notes.toReversed()]) {
      const request = { generation: 3, isHybrid: true, after, limit: 2 };
      const { some, positionOf } = pageOfRanking(order, request);
      seen.push(...some.map(({ id }) => id));
      const last = some.at(-1);
      after = last ? positionOf(last) : after;
    }
    expect(seen.toSorted()).toEqual(notes.map(({ id }) => id).toSorted());
  });

  it('goes on after the last note when the order is by words', () => {
    const first = pageOfRanking(notes, { generation: 3, isHybrid: false, after: null, limit: 3 });
    const after = first.positionOf(notes[2] as RankedNote);
    expect(after).toEqual(['best', 3, 3, notes[2]?.id]);
    const request = { generation: 3, isHybrid: false, after, limit: 3 };
    expect(pageOfRanking(notes, request).some).toEqual(notes.slice(3, 6));
  });
});
