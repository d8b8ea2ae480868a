import { describe, expect, it } from '@jest/globals';
import { daysText, dayLabels } from './day-labels.ts';

const daysFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
  );

describe('the labels of days', () => {
  it('has one for each of up to five', () => {
    expect(dayLabels(daysFrom('2026-11-28', 3))).toEqual(['Nov 28', 'Nov 29', 'Nov 30']);
  });

  it.each([7, 30, 31, 366])('names the last of %i days, and others at even distances', (count) => {
    const labels = dayLabels(daysFrom('2026-01-01', count));
    const places = labels.flatMap((label, index) => (label === null ? [] : [index]));
    const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
    expect(labels).toHaveLength(count);
    expect(places.at(-1)).toBe(count - 1);
    expect(places.length).toBeLessThanOrEqual(5);
    expect(new Set(gaps).size).toBe(1);
  });

  it('has none without days', () => {
    expect(dayLabels([])).toEqual([]);
  });
});

describe('a range of days', () => {
  it.each([
    ['2026-11-01', '2026-11-30', 'Nov 1 – 30, 2026'],
    ['2026-10-31', '2026-11-29', 'Oct 31 – Nov 29, 2026'],
    ['2025-12-31', '2026-01-01', 'Dec 31, 2025 – Jan 1, 2026'],
    // As an address may have it.
    ['2026-02-01', '2026-01-01', 'Feb 1 – Jan 1, 2026'],
  ])('from %s to %s is written as everywhere else', (from, to, text) => {
    expect(daysText(from, to).replaceAll(/\s/g, ' ')).toBe(text);
  });
});
