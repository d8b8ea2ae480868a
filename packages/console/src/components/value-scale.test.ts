import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { valueScale } from './value-scale.ts';

describe('the scale of a chart', () => {
  it('ends with a round number above the highest value', () => {
    expect(valueScale([3, 191.67, 95])).toEqual({ top: 200, ticks: [0, 50, 100, 150, 200] });
  });

  it.each([[[]], [[0, 0]]])('has the line of 0 alone for %j', (values) => {
    expect(valueScale(values)).toEqual({ top: 1, ticks: [0] });
  });

  it('holds every value, and has lines for whole numbers only', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e12, noNaN: true })), (values) => {
        const { top, ticks } = valueScale(values);
        expect(top).toBeGreaterThanOrEqual(Math.max(0, ...values));
        expect(ticks.filter((tick) => !Number.isInteger(tick) || tick > top)).toEqual([]);
        expect(ticks[0]).toBe(0);
      }),
    );
  });
});
