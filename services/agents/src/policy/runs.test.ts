import { describe, expect, it } from '@jest/globals';
import { assertRunning, isRunning, nextTtlSeconds } from './runs.ts';

const startedAt = new Date('2026-11-20T12:00:00.000Z');
const afterHours = (hours: number) => new Date(startedAt.getTime() + hours * 3_600_000);
const run = {
  status: 'running',
  startedAt,
  tokenExpiresAt: afterHours(0.25),
  ttlSeconds: 900,
} as const;

describe('a run', () => {
  it('ends at the moment its token expires', () => {
    expect(isRunning(run, new Date(run.tokenExpiresAt.getTime() - 1))).toBe(true);
    expect(isRunning(run, run.tokenExpiresAt)).toBe(false);
    expect(() => assertRunning(run, run.tokenExpiresAt)).toThrow(
      expect.objectContaining({ code: 'run_finished' }),
    );
  });

  it('has ended, even while its token is unexpired', () => {
    expect(isRunning({ ...run, status: 'cancelled' }, startedAt)).toBe(false);
  });

  it('gets tokens with the lifetime of its first, shorter ones towards 24 hours, then none', () => {
    expect(nextTtlSeconds(run, afterHours(1))).toBe(900);
    expect(nextTtlSeconds(run, afterHours(23.9))).toBe(360);
    expect(() => nextTtlSeconds(run, afterHours(24))).toThrow('24 hours');
  });
});
