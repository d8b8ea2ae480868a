import { describe, expect, it } from '@jest/globals';
import { createTokenBuckets } from './token-bucket.ts';

describe('a token bucket', () => {
  it('holds a burst and refills over time, but not beyond the burst', () => {
    let now = 0;
    const buckets = createTokenBuckets({ perSecond: 2, burst: 3, monotonicMs: () => now });
    const consume = () => buckets.consume('a').isAllowed;
    expect([consume(), consume(), consume(), consume()]).toEqual([true, true, true, false]);
    expect(buckets.consume('a').waitSeconds).toBe(1);
    now += 500;
    expect([consume(), consume()]).toEqual([true, false]);
    now += 60_000;
    expect([consume(), consume(), consume(), consume()]).toEqual([true, true, true, false]);
    expect(buckets.consume('b').remaining).toBe(2);
  });
});
