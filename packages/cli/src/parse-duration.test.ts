import { describe, expect, it } from '@jest/globals';
import { parseDuration } from './parse-duration.ts';

describe('a duration', () => {
  it.each([
    ['1s', 1_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '5', 'm', '0s', '-5m', '1.5h', '5 m', '5M', '25d', '5m5s'])(
    'is not written %p',
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );
});
