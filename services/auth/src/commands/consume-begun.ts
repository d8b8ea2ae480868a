import { AppError } from '@commonplace/contracts/core';
import { runGlobal } from '@commonplace/db';
import type { Client, Deps } from '../deps.ts';
import {
  authorizationLimits,
  begunBucket,
  registrationLimits,
  type BegunKind,
} from '../policy/connect-limits.ts';
import { countWindowAttempt } from '../queries/login-attempts.ts';

const limits = {
  registration: {
    windows: registrationLimits,
    refusal: 'Too many clients were registered from this address.',
  },
  authorization: {
    windows: authorizationLimits,
    refusal: 'Too many apps began to connect from this address.',
  },
} as const;

/** Counts what needs no credential to begin and leaves a row, in every window of an address and over all replicas (429). */
export const consumeBegun = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  kind: BegunKind,
  { address }: Client,
): Promise<void> =>
  runGlobal(db, async (tx) => {
    const { windows, refusal } = limits[kind];
    for (const limit of windows) {
      const bucket = begunBucket(kind, address, limit);
      if (!(await countWindowAttempt(tx, { bucket, now: clock(), ...limit }))) {
        throw new AppError('rate_limited', refusal, {
          headers: { 'Retry-After': String(limit.windowSeconds) },
        });
      }
    }
  });
