import { describe, expect, it } from '@jest/globals';
import { isMoneyUsedUp, isUsedUp } from './is-used-up.ts';

describe('a limit', () => {
  it('is used up when all of it or more is used', () => {
    expect([isUsedUp(99, 100), isUsedUp(100, 100), isUsedUp(101, 100)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('of 0 is used up only once something was used', () => {
    expect([isUsedUp(0, 0), isUsedUp(1, 0)]).toEqual([false, true]);
  });

  it('that there is none of is never used up', () => {
    expect([isUsedUp(0, null), isUsedUp(1_000_000, null)]).toEqual([false, false]);
  });
});

describe('the money of a budget', () => {
  it('is used up by what is spent and reserved together', () => {
    const of = (spentCents: number, reservedCents: number, monthlyCents: number | null) =>
      isMoneyUsedUp({ spentCents, reservedCents, monthlyCents });
    expect([of(60, 39, 100), of(60, 40, 100), of(0, 100, 100)]).toEqual([false, true, true]);
    expect([of(0, 0, 0), of(0, 5, 0), of(60, 40, null)]).toEqual([false, true, false]);
  });
});
