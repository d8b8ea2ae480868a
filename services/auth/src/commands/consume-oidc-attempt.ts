import { AppError } from '@commonplace/contracts/core';
import { write, type GlobalTx } from '@commonplace/db';
import type { Client, Deps } from '../deps.ts';
import { attemptSeconds, type Attempt } from '../oidc/attempts.ts';
import { addressLimit, identityBucket } from '../policy/login-limits.ts';
import { countWindowAttempt } from '../queries/login-attempts.ts';
import { insertUsedToken } from '../queries/used-tokens.ts';
import { refundWindowAttempts } from './consume-login-attempt.ts';
import { findShare } from './find-share.ts';

type ConsumeDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Counts a callback before its code is redeemed, 30 a minute of an address over all replicas
 * (429), and uses up its attempt (400). Returns where it was counted.
 */
export const consumeOidcAttempt = async (
  { db, clock }: ConsumeDeps,
  { state }: Attempt,
  client: Client,
): Promise<string> => {
  const bucket = identityBucket(await findShare({ db }, client, 'anybody'));
  const now = clock();
  const count = (tx: GlobalTx) => countWindowAttempt(tx, { bucket, now, ...addressLimit });
  if (!(await write(db, 'global', count))) {
    throw new AppError('login_throttled', undefined, {
      headers: { 'Retry-After': String(addressLimit.windowSeconds) },
    });
  }
  const expiresAt = new Date(now.getTime() + attemptSeconds * 1000);
  const use = (tx: GlobalTx) => insertUsedToken(tx, { parts: ['attempt', state], expiresAt });
  if (!(await write(db, 'global', use))) {
    throw new AppError('oidc_attempt_invalid', 'This sign-in was used before.');
  }
  return bucket;
};

/** Successful sign-ins do not count. By then the browser is known, and would be counted elsewhere. */
export const refundOidcAttempt = (deps: Pick<Deps, 'db'>, bucket: string): Promise<void> =>
  refundWindowAttempts(deps, [bucket]);
