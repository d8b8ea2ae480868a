import { AppError } from '@commonplace/contracts/core';
import { runGlobal, type GlobalTx } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import {
  accountLimit,
  addressLimit,
  pairFreeRetentionSeconds,
  pairRetentionSeconds,
  pairFreeAttempts,
  pairFirstDelaySeconds,
  pairMaxDelaySeconds,
  type LoginBuckets,
  type WindowLimit,
} from '../policy/login-limits.ts';
import {
  countAccountAddressAttempt,
  countWindowAttempt,
  deleteBucket,
  findBlockedUntil,
  refundAttempt,
} from '../queries/login-attempts.ts';

const pairLimit = {
  freeAttempts: pairFreeAttempts,
  firstDelaySeconds: pairFirstDelaySeconds,
  maxDelaySeconds: pairMaxDelaySeconds,
  retentionSeconds: pairRetentionSeconds,
  freeRetentionSeconds: pairFreeRetentionSeconds,
};

type ThrottleDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Counts an attempt as failed before the password is checked, so that concurrent attempts cannot
 * exceed the limits: per address, per pair of account and address, and per account. Throws 429 when
 * a limit is reached, and refunds what it counted before, because only checked attempts count. The
 * address comes first because a caller cannot invent it, so no address adds more rows than it has
 * attempts. Each statement commits on its own, so attempts do not wait for each other.
 */
export const consumeLoginAttempt = (
  { db, clock }: ThrottleDeps,
  buckets: LoginBuckets,
): Promise<void> =>
  runGlobal(db, async (tx) => {
    const now = clock();
    const { accountAddress, address, account } = buckets;
    const counts = [
      [address, () => countWindowAttempt(tx, { bucket: address, now, ...addressLimit })],
      [
        accountAddress,
        () => countAccountAddressAttempt(tx, { bucket: accountAddress, now, ...pairLimit }),
      ],
      [
        account,
        () =>
          countWindowAttempt(tx, {
            bucket: account,
            now,
            ...(buckets.accountLimit ?? accountLimit),
          }),
      ],
    ] as const;
    const counted: string[] = [];
    for (const [bucket, count] of counts) {
      if (!(await count())) {
        await refundAttempts(tx, counted);
        await rejectAttempt(tx, bucket, now);
      }
      counted.push(bucket);
    }
  });

/** Counts an attempt in one window; throws 429 when it is full. */
export const consumeWindowAttempt = (
  { db, clock }: ThrottleDeps,
  bucket: string,
  limit: WindowLimit,
): Promise<void> =>
  runGlobal(db, async (tx) => {
    const now = clock();
    if (!(await countWindowAttempt(tx, { bucket, now, ...limit }))) {
      await rejectAttempt(tx, bucket, now);
    }
  });

/** For a correct password: clears the pair and refunds this attempt to address and account. */
export const resetLoginAttempts = (
  { db }: Pick<Deps, 'db'>,
  buckets: LoginBuckets,
): Promise<void> =>
  runGlobal(db, async (tx) => {
    await deleteBucket(tx, buckets.accountAddress);
    await refundAttempts(tx, [buckets.address, buckets.account]);
  });

/** For a password that could not be checked: the attempt does not count. */
export const refundLoginAttempt = (
  { db }: Pick<Deps, 'db'>,
  { accountAddress, address, account }: LoginBuckets,
): Promise<void> => runGlobal(db, (tx) => refundAttempts(tx, [accountAddress, address, account]));

/** Gives back attempts of windows. */
export const refundWindowAttempts = (
  { db }: Pick<Deps, 'db'>,
  buckets: readonly string[],
): Promise<void> => runGlobal(db, (tx) => refundAttempts(tx, buckets));

const refundAttempts = async (tx: GlobalTx, buckets: readonly string[]): Promise<void> => {
  for (const bucket of buckets) {
    await refundAttempt(tx, bucket);
  }
};

const rejectAttempt = async (tx: GlobalTx, bucket: string, now: Date): Promise<never> => {
  const blockedUntil = await findBlockedUntil(tx, bucket);
  const waitMs = Math.max(0, (blockedUntil?.getTime() ?? 0) - now.getTime());
  throw new AppError('login_throttled', 'Too many sign-ins; wait before the next one.', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  });
};
