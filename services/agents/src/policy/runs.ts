import { AppError } from '@commonplace/contracts/core';
import { runLifetimeHours, type RunStatus } from '@commonplace/contracts/agents';

type Lifetime = {
  readonly status: RunStatus;
  readonly startedAt: Date;
  readonly tokenExpiresAt: Date;
  readonly ttlSeconds: number;
};

/**
 * A run is running until it ends or its token expires, whether or not `expireRuns` has recorded
 * that.
 */
export const isRunning = (run: Pick<Lifetime, 'status' | 'tokenExpiresAt'>, now: Date): boolean =>
  run.status === 'running' && run.tokenExpiresAt > now;

/** Throws 409 unless the run is running. */
export const assertRunning = (
  run: Pick<Lifetime, 'status' | 'tokenExpiresAt'>,
  now: Date,
): void => {
  if (!isRunning(run, now)) {
    throw new AppError('run_finished');
  }
};

/**
 * The lifetime of the next token in seconds: that of the first token, but not beyond 24 hours after
 * the start.
 */
export const nextTtlSeconds = (run: Lifetime, now: Date): number => {
  const endsAtMs = run.startedAt.getTime() + runLifetimeHours * 3_600_000;
  const remainingSeconds = Math.floor((endsAtMs - now.getTime()) / 1000);
  if (remainingSeconds < 1) {
    throw new AppError('run_finished', 'A run lasts at most 24 hours.');
  }
  return Math.min(run.ttlSeconds, remainingSeconds);
};

/** What a run has reported beyond its reservation, which counts as spent at once. */
export const unreservedCents = (run: {
  readonly reservedCents: number;
  readonly reportedCents: number | null;
}): number => Math.max(0, (run.reportedCents ?? 0) - run.reservedCents);

/** What a run has cost at least: what it reserved, or reported if that is more. */
export const committedCents = (run: {
  readonly reservedCents: number;
  readonly reportedCents: number | null;
}): number => Math.max(run.reservedCents, run.reportedCents ?? 0);

/** The UTC month of a time, as budget rows name it: its first day, `2026-11-01`. */
export const budgetMonth = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;
