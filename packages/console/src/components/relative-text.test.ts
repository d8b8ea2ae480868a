import { expect, it } from '@jest/globals';
import { relativeText } from './relative-text.ts';

const hourMs = 3_600_000;

it.each([
  [72 * hourMs - 2_000, 'in 3 days'],
  [36 * hourMs + 60_000, 'in 2 days'],
  [90 * 60_000, 'in 2 hours'],
  [20_000, 'in a moment'],
  [3_000, 'just now'],
  [-20_000, 'just now'],
  [-(72 * hourMs - 2_000), '2 days ago'],
])('%d ms from now is %s', (distanceMs, expected) => {
  expect(relativeText(distanceMs)).toBe(expected);
});
