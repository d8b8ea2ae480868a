import { describe, expect, it } from '@jest/globals';
import { reservedBy, spendingByDay } from './spending-by-day.ts';

const todayMs = Date.parse('2026-03-10T00:00:00.000Z');

const ended = (finishedAt: string, costCents: number) =>
  ({
    status: 'succeeded',
    startedAt: '2026-03-08T00:00:00.000Z',
    finishedAt,
    costCents,
    reservedCents: 100,
  }) as const;

const running = {
  status: 'running',
  startedAt: '2026-03-10T01:00:00.000Z',
  finishedAt: null,
  costCents: null,
  reservedCents: 70,
} as const;

describe('the spending of an agent by day', () => {
  it('has each day, and counts a run on the day of its end', () => {
    const runs = [
      running,
      ended('2026-03-10T00:00:00.000Z', 5),
      ended('2026-03-08T23:59:59.999Z', 7),
      ended('2026-03-08T12:00:00.000Z', 1),
      ended('2026-03-01T12:00:00.000Z', 1_000),
    ];
    expect(spendingByDay(runs, { todayMs, days: 3 })).toEqual([
      { day: '2026-03-08', costCents: 8, runs: 2 },
      { day: '2026-03-09', costCents: 0, runs: 0 },
      { day: '2026-03-10', costCents: 5, runs: 1 },
    ]);
  });

  it('leaves out what is only reserved, which is counted apart', () => {
    const runs = [running, ended('2026-03-10T00:00:00.000Z', 5), running];
    expect(reservedBy(runs)).toBe(140);
    expect(spendingByDay([running], { todayMs, days: 1 })).toEqual([
      { day: '2026-03-10', costCents: 0, runs: 0 },
    ]);
  });
});
