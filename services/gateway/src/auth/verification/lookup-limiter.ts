import { createLimiter } from '@commonplace/concurrency';
import { AppError } from '@commonplace/contracts';

export type LookupLimiterOptions = {
  /** Lookups in flight at once. */
  readonly inFlightMax: number;
  /** How many of them may be for unverified credentials. */
  readonly unverifiedMax: number;
  readonly waitMaxMs: number;
};

/** Runs a lookup as soon as the limits allow it; 503 when that takes too long. */
export type LookupLimiter = <Result>(
  isUnverified: boolean,
  task: () => Promise<Result>,
) => Promise<Result>;

/**
 * Creates the limit on lookups in flight, which it counts. Lookups of unverified credentials pass a narrower
 * limit first, so that a flood of them cannot starve verified callers.
 */
export const createLookupLimiter = (
  { inFlightMax, unverifiedMax, waitMaxMs }: LookupLimiterOptions,
  counters: { inFlight: number },
): LookupLimiter => {
  const all = createLimiter({ runningMax: inFlightMax, waitMaxMs, rejection: lookupsBusy });
  const unverified = createLimiter({
    runningMax: unverifiedMax,
    waitMaxMs,
    rejection: lookupsBusy,
  });
  return (isUnverified, task) => {
    const counted = async () => {
      counters.inFlight += 1;
      try {
        return await task();
      } finally {
        counters.inFlight -= 1;
      }
    };
    return isUnverified ? unverified(() => all(counted)) : all(counted);
  };
};

const lookupsBusy = (): AppError => new AppError('busy');
