import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { storedBudget } from '../limits/stored-budget.ts';
import { divide } from './push-parts.ts';

const noteBytes = 512 * 1024;

it('parts are whole, in order, of bounded bytes, and beyond the bytes of a request none is merged', () => {
  const sizes = fc.array(fc.constantFrom(0, 10, noteBytes, 2 * noteBytes), {
    minLength: 1,
    maxLength: 500,
  });
  fc.assert(
    fc.property(sizes, (bytesOfEach) => {
      const parts = divide(bytesOfEach);
      const bytesOf = ({ start, end }: { start: number; end: number }) =>
        bytesOfEach.slice(start, end).reduce((sum, bytes) => sum + bytes, 0);
      const merged = parts.filter(({ isMerged }) => isMerged);
      expect(parts.map(({ start }) => start)).toEqual([
        0,
        ...parts.slice(0, -1).map(({ end }) => end),
      ]);
      expect(parts.at(-1)?.end).toBe(bytesOfEach.length);
      expect(merged.every((part) => bytesOf(part) <= storedBudget.partBytes)).toBe(true);
      const mergedBytes = merged.reduce((sum, part) => sum + bytesOf(part), 0);
      expect(mergedBytes).toBeLessThanOrEqual(storedBudget.requestBytes);
      const total = bytesOf({ start: 0, end: bytesOfEach.length });
      expect(merged.length === parts.length).toBe(total <= storedBudget.requestBytes);
    }),
  );
});

it('500 merges of large notes are merged for an eighth, and the rest is written without being read', () => {
  const parts = divide(Array.from({ length: 500 }, () => 2 * noteBytes));
  const merged = parts.filter(({ isMerged }) => isMerged);
  expect(merged.at(-1)?.end).toBe(storedBudget.requestBytes / (2 * noteBytes));
  expect(parts.at(-1)).toEqual({ start: merged.at(-1)?.end, end: 500, isMerged: false });
});
