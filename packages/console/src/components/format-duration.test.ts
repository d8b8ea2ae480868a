import { describe, expect, it } from '@jest/globals';
import { formatDuration } from './format-duration.ts';

describe('a duration', () => {
  it.each([
    [-5, 'under 1 s'],
    [400, 'under 1 s'],
    [59_499, '59 s'],
    [59_500, '1 min'],
    [125_000, '2 min 5 s'],
    [3_600_000, '1 h'],
    [3_605_000, '1 h'],
    [90_000_000, '1 d 1 h'],
  ])('of %d ms is written in its two largest units', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
