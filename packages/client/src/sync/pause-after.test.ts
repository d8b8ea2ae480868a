import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '../problem-error.ts';
import { pauseAfter } from './pause-after.ts';

const noAnswer = new TypeError('fetch failed');
const problem = (status: number, retryAfter?: string): ProblemError =>
  new ProblemError(
    new Response(null, { status, headers: retryAfter ? { 'retry-after': retryAfter } : {} }),
    {},
  );

const longest = (error: unknown, random = 1): number =>
  Math.max(
    ...Array.from({ length: 40 }, (_, failures) =>
      pauseAfter({ failures, error, longestMs: 30_000, random }),
    ),
  );

describe('the pause before the next try', () => {
  it('is three seconds at most while the server is away, however long it has been', () => {
    const late = new DOMException('too late', 'TimeoutError');
    for (const error of [noAnswer, late, problem(502), problem(503), problem(504)]) {
      expect(longest(error)).toBe(3_000);
    }
    expect(longest(problem(503, '1'))).toBe(4_000);
  });

  it('grows to the longest where waiting for the server does not help', () => {
    for (const error of [null, new Error('no room here'), problem(409), problem(500)]) {
      expect(longest(error)).toBe(30_000);
    }
  });

  it('is never sooner than the server asked for, nor less than half of a step', () => {
    const asked = { failures: 1, error: problem(429, '20'), longestMs: 30_000, random: 0 };
    expect(pauseAfter(asked)).toBe(20_250);
    expect(pauseAfter({ ...asked, error: noAnswer })).toBe(250);
    expect(pauseAfter({ ...asked, error: null, failures: 0 })).toBe(125);
  });
});
