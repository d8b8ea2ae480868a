import { describe, expect, it } from '@jest/globals';
import { describeCharge, describeRunCost } from './run-cost.ts';

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

describe('why a run is charged its reservation', () => {
  it('is said of one that was stopped or expired with a smaller report, and of no other', () => {
    const stopped = { costCents: 100, reportedCents: null, reservedCents: 100 };
    expect(describeCharge({ ...stopped, status: 'cancelled' })).toMatch(/charged all it reserved/);
    expect(describeCharge({ ...stopped, reportedCents: 40, status: 'expired' })).not.toBeNull();
    expect(describeCharge({ ...stopped, status: 'failed' })).toBeNull();
    expect(describeCharge({ ...stopped, reportedCents: 100, status: 'cancelled' })).toBeNull();
    const unreserved = { costCents: 0, reportedCents: null, reservedCents: 0 };
    expect(describeCharge({ ...unreserved, status: 'cancelled' })).toBeNull();
  });
});
