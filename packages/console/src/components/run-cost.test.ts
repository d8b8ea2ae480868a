import { describe, expect, it } from '@jest/globals';
import { describeRunCost } from './run-cost.ts';

const format = (cents: number): string => `€${(cents / 100).toFixed(2)}`;

describe('the cost of a run', () => {
  it.each([
    [{ costCents: null, reportedCents: 55, reservedCents: 0 }, '€0.55 so far'],
    [{ costCents: null, reportedCents: 55, reservedCents: 100 }, '€0.55 so far'],
    [{ costCents: null, reportedCents: null, reservedCents: 100 }, '€1.00 reserved'],
    [{ costCents: null, reportedCents: null, reservedCents: 0 }, '€0.00 so far'],
    [{ costCents: 60, reportedCents: 55, reservedCents: 100 }, '€0.60'],
  ])('of %j is %s', (run, expected) => {
    expect(describeRunCost(run, format)).toBe(expected);
  });
});
