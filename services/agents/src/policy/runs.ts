import { AppError } from '@commonplace/contracts/core';
import { runLifetimeHours, type RunStatus } from '@commonplace/contracts/agents';

type Lifetime = {
  readonly status: RunStatus;
  readonly startedAt: Date;
  readonly tokenExpiresAt: Date;
  readonly ttlSeconds: number;
};

/** A run goes on until it ends or its token lapses, whether or not the sweeper has noticed. */
export const isRunning = (run: Pick<Lifetime, 'status' | 'tokenExpiresAt'>, now: Date): boolean =>
  run.status === 'running' && run.tokenExpiresAt > now;

/** Refuses what only a running run can do (409). */
export const assertRunning = (
  run: Pick<Lifetime, 'status' | 'tokenExpiresAt'>,
  now: Date,
): void => {
  if (!isRunning(run, now)) {
    throw new AppError('run_finished');
  }
};

/** Seconds the next token may live: as long as the first one, but never past 24 hours of the run. */
export const nextTtlSeconds = (run: Lifetime, now: Date): number => {
  const endsAtMs = run.startedAt.getTime() + runLifetimeHours * 3_600_000;
  const leftSeconds = Math.floor((endsAtMs - now.getTime()) / 1000);
  if (leftSeconds < 1) {
    throw new AppError('run_finished', 'A run goes on for 24 hours at most.');
  }
  return Math.min(run.ttlSeconds, leftSeconds);
};

/** The UTC month of a moment as budgets name it: its first day, `2026-11-01`. */
export const budgetMonth = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;
