import { AppError } from '@commonplace/contracts/core';
import { write, type GlobalTx } from '@commonplace/db';
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
export const consumeBegun = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  kind: BegunKind,
  { address }: Client,
): Promise<void> => {
  const { windows, refusal } = limits[kind];
  for (const limit of windows) {
    const bucket = begunBucket(kind, address, limit);
    const count = (tx: GlobalTx) => countWindowAttempt(tx, { bucket, now: clock(), ...limit });
    if (!(await write(db, 'global', count))) {
      throw new AppError('rate_limited', refusal, {
        headers: { 'Retry-After': String(limit.windowSeconds) },
      });
    }
  }
};
