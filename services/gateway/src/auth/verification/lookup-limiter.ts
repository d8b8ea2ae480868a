import { AppError } from '@commonplace/contracts';
import { createLimiter } from './limiter.ts';

export type LookupLimiterOptions = {
  /** Look-ups under way at once. */
  readonly inFlightMax: number;
  /** How many of them may be for credentials nobody has vouched for yet. */
  readonly unverifiedMax: number;
  readonly waitMaxMs: number;
};

/** Runs a look-up when there is room for it, or answers 503. */
export type LookupLimiter = <Result>(
  isStranger: boolean,
  task: () => Promise<Result>,
) => Promise<Result>;

/**
 * Bounds the look-ups in flight. Strangers (digests never seen to be good) pass a narrower gate
 * before the common one, so that a flood of them cannot starve good callers.
 */
export const createLookupLimiter = ({
  inFlightMax,
  unverifiedMax,
  waitMaxMs,
}: LookupLimiterOptions): LookupLimiter => {
  const everybody = createLimiter({ runningMax: inFlightMax, waitMaxMs, rejection: lookupsBusy });
  const strangers = createLimiter({ runningMax: unverifiedMax, waitMaxMs, rejection: lookupsBusy });
  return (isStranger, task) => (isStranger ? strangers(() => everybody(task)) : everybody(task));
};

const lookupsBusy = (): AppError =>
  new AppError('busy', undefined, { headers: { 'Retry-After': '1' } });
