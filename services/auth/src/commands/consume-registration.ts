import { AppError } from '@commonplace/contracts/core';
import { runGlobal } from '@commonplace/db';
import type { Client, Deps } from '../deps.ts';
import type { WindowLimit } from '../policy/login-limits.ts';
import {
  authorizationLimits,
  oauthBucket,
  registrationLimits,
} from '../policy/registration-limits.ts';
import { countWindowAttempt } from '../queries/login-attempts.ts';

type CountingDeps = Pick<Deps, 'db' | 'clock'>;

/** Counts a registration of a client: 30 a minute and 120 an hour of an address, over all replicas (429). */
export const consumeRegistration = (deps: CountingDeps, client: Client): Promise<void> =>
  consume(deps, client, {
    kind: 'registration',
    limits: registrationLimits,
    refusal: 'Too many clients were registered from this address.',
  });

/** Counts the beginning of an authorization: 300 a minute and 1,200 an hour of an address, over all replicas (429). */
export const consumeAuthorization = (deps: CountingDeps, client: Client): Promise<void> =>
  consume(deps, client, {
    kind: 'authorization',
    limits: authorizationLimits,
    refusal: 'Too many apps began to connect from this address.',
  });

type Limited = {
  readonly kind: Parameters<typeof oauthBucket>[0];
  readonly limits: readonly WindowLimit[];
  readonly refusal: string;
};

const consume = (
  { db, clock }: CountingDeps,
  { address }: Client,
  { kind, limits, refusal }: Limited,
): Promise<void> =>
  runGlobal(db, async (tx) => {
    for (const limit of limits) {
      const bucket = oauthBucket(kind, address, limit);
      if (!(await countWindowAttempt(tx, { bucket, now: clock(), ...limit }))) {
        throw new AppError('rate_limited', refusal, {
          headers: { 'Retry-After': String(limit.windowSeconds) },
        });
      }
    }
  });
