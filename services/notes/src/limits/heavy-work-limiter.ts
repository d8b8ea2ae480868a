import { AppError, type CompanyId } from '@commonplace/contracts/core';
import { createKeyedLimiter } from '@commonplace/concurrency';

export type HeavyWorkLimiterOptions = {
  /** Heavy requests of one company that run at once. */
  readonly runningMax: number;
  /** How many may wait; further requests are rejected with `busy`. */
  readonly waitingMax: number;
};

/** Runs heavy work as soon as the limit of its company allows it. */
export type LimitHeavyWork = <Result>(
  companyId: CompanyId,
  work: () => Promise<Result>,
) => Promise<Result>;

/**
 * Limits the heavy work of each company: searches, large pushes and full pulls. A flood of requests of one
 * company waits in the queue of that company, and does not delay the requests of others.
 */
export const createHeavyWorkLimiter = (options: HeavyWorkLimiterOptions): LimitHeavyWork =>
  createKeyedLimiter<CompanyId>({ ...options, rejection: tooMuchWaiting });

const tooMuchWaiting = (): AppError =>
  new AppError('busy', 'Too much heavy work of this company is waiting.');
