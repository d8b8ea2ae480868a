import { expect, it } from '@jest/globals';
import { byDay } from './by-day.ts';

/** A local time: the days are those of the reader. */
const at = (day: number, hours: number): { readonly at: string } => ({
  at: new Date(2026, 10, day, hours).toISOString(),
});

it('divides entries by local day, and keeps their order', () => {
  const entries = [at(27, 23), at(27, 0), at(26, 23), at(2, 12)];
  const days = byDay(entries);
  expect(days.map((each) => each.entries)).toEqual([
    [entries[0], entries[1]],
    [entries[2]],
    [entries[3]],
  ]);
  expect(new Set(days.map(({ day }) => day)).size).toBe(3);
  expect(byDay([])).toEqual([]);
});
