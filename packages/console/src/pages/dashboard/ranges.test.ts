import { describe, expect, it } from '@jest/globals';
import { daysOf } from './ranges.ts';

const now = Date.parse('2026-03-01T00:30:00.000Z');

describe('the days of a range', () => {
  it('end today in UTC and include it', () => {
    expect(daysOf({}, now)).toEqual({ from: '2026-01-31', to: '2026-03-01' });
    expect(daysOf({ range: '7' }, now)).toEqual({ from: '2026-02-23', to: '2026-03-01' });
  });

  it('are those of a calendar month, also over the end of a year', () => {
    expect(daysOf({ range: 'month' }, now)).toEqual({ from: '2026-03-01', to: '2026-03-01' });
    expect(daysOf({ range: 'last-month' }, now)).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    const january = Date.parse('2026-01-15T12:00:00.000Z');
    expect(daysOf({ range: 'last-month' }, january)).toEqual({
      from: '2025-12-01',
      to: '2025-12-31',
    });
  });

  it('are those of the address, and without one the last 30', () => {
    const custom = { range: 'custom', from: '2026-01-01' } as const;
    expect(daysOf(custom, now)).toEqual({ from: '2026-01-01', to: '2026-03-01' });
    expect(daysOf({ range: 'custom' }, now)).toEqual(daysOf({}, now));
  });
});
