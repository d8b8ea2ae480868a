import { AppError } from '@commonplace/contracts/core';
import { runGlobal } from '@commonplace/db';
import type { Client, Deps } from '../deps.ts';
import { registrationLimits, registrationBucket } from '../policy/registration-limits.ts';
import { countWindowAttempt } from '../queries/login-attempts.ts';

/** Counts a registration of a client: 30 a minute and 120 an hour of an address, over all replicas (429). */
export const consumeRegistration = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { address }: Client,
): Promise<void> =>
  runGlobal(db, async (tx) => {
    for (const limit of registrationLimits) {
      const bucket = registrationBucket(address, limit);
      if (!(await countWindowAttempt(tx, { bucket, now: clock(), ...limit }))) {
        throw new AppError('rate_limited', 'Too many clients were registered from this address.', {
          headers: { 'Retry-After': String(limit.windowSeconds) },
        });
      }
    }
  });
