import { describe, expect, it } from '@jest/globals';
import { durationsOf, evaluate } from './report.ts';

const okOf = (value: number): boolean | null =>
  evaluate({
    name: 'memory',
    unit: 'MB',
    value,
    baseline: null,
    target: { of: 'value', is: 'at most', bound: 100 },
  }).ok;

describe('a row with a target', () => {
  it('passes within its bound only', () => {
    expect([okOf(99), okOf(100), okOf(101)]).toEqual([true, true, false]);
  });

  it('does not pass with a figure that makes no sense', () => {
    expect([okOf(-84.5), okOf(Number.NaN)]).toEqual([false, false]);
  });
});

describe('the durations of a run', () => {
  it('name every part and their sum', () => {
    const seconds = new Map([
      ['start', 30.4],
      ['read', 45.4],
    ]);
    expect(durationsOf(seconds)).toBe('Seconds: start 30, read 45; together 76');
  });
});
