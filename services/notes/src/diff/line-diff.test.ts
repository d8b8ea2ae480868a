import { describe, expect, it } from '@jest/globals';
import { diffLines, splitLines, type LineDiff } from './line-diff.ts';

/** Makes the second text from the first one and the changes. */
const applied = (before: string, after: string, { changes }: LineDiff): string => {
  const [old, added] = [splitLines(before), splitLines(after)];
  const parts: string[] = [];
  let next = 0;
  for (const change of changes) {
    parts.push(...old.slice(next, change.beforeStart));
    parts.push(...added.slice(change.afterStart, change.afterStart + change.afterCount));
    next = change.beforeStart + change.beforeCount;
  }
  return [...parts, ...old.slice(next)].join('');
};

/** A small generator, so that a failure can be repeated. */
const numbersFrom = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};

describe('diffLines', () => {
  it('finds the fewest lines between equal ones', () => {
    expect(diffLines('a\nb\nc\nd\n', 'a\nx\nc\nd\ne\n')).toEqual({
      changes: [
        { beforeStart: 1, beforeCount: 1, afterStart: 1, afterCount: 1 },
        { beforeStart: 4, beforeCount: 0, afterStart: 4, afterCount: 1 },
      ],
      isExact: true,
      head: { lines: 1, characters: 2 },
      tail: { linesBefore: 4, characters: 0 },
    });
  });

  it('changes one text into the other, for any two texts', () => {
    const next = numbersFrom(7);
    for (let round = 0; round < 3_000; round += 1) {
      const [before, after] = [0, 1].map(() =>
        Array.from({ length: next(12) }, () => ['a', 'b', '', '\n', 'ab\n'][next(5)]).join(''),
      );
      const diff = diffLines(before ?? '', after ?? '');
      expect([diff.isExact, applied(before ?? '', after ?? '', diff)]).toEqual([true, after]);
    }
  });

  it('keeps long common ends out of the changes, wherever their blocks end', () => {
    const next = numbersFrom(11);
    for (let round = 0; round < 300; round += 1) {
      const [start, end] = [0, 1].map(() => 'abc def\n'.repeat(next(400)));
      const [before, after] = ['x\n', ''].map((line) => `${start}${line}${end}`) as [
        string,
        string,
      ];
      const diff = diffLines(before, after);
      expect([diff.changes.length, applied(before, after, diff)]).toEqual([1, after]);
      expect(diff.changes[0]).toMatchObject({ beforeCount: 1, afterCount: 0 });
    }
  });

  it('gives up after its steps, with one change between the common ends', () => {
    const lines = (from: number) =>
      Array.from({ length: 5_000 }, (_, index) => `${from + index}\n`).join('');
    const [before, after] = [`head\n${lines(0)}tail\n`, `head\n${lines(10_000)}tail\n`];
    expect(diffLines(before, after)).toEqual({
      changes: [{ beforeStart: 1, beforeCount: 5_000, afterStart: 1, afterCount: 5_000 }],
      isExact: false,
      head: { lines: 1, characters: 5 },
      tail: { linesBefore: 5_001, characters: 5 },
    });
  });
});
