import { AppError } from '@commonplace/contracts/core';
import { read, write, type Db, type GlobalTx } from '@commonplace/db';
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
 * attempts. Each count is a transaction of its own, so attempts do not wait for each other.
 */
export const consumeLoginAttempt = async (
  { db, clock }: ThrottleDeps,
  { accountAddress, address, account, ...buckets }: LoginBuckets,
): Promise<void> => {
  const now = clock();
  const ofAccount = buckets.accountLimit ?? accountLimit;
  const counts: readonly (readonly [string, (tx: GlobalTx) => Promise<boolean>])[] = [
    [address, (tx) => countWindowAttempt(tx, { bucket: address, now, ...addressLimit })],
    [
      accountAddress,
      (tx) => countAccountAddressAttempt(tx, { bucket: accountAddress, now, ...pairLimit }),
    ],
    [account, (tx) => countWindowAttempt(tx, { bucket: account, now, ...ofAccount })],
  ];
  const counted: string[] = [];
  for (const [bucket, count] of counts) {
    if (!(await write(db, 'global', count))) {
      await refundWindowAttempts({ db }, counted);
      await rejectAttempt(db, bucket, now);
    }
    counted.push(bucket);
  }
};

/** Counts an attempt in one window; throws 429 when it is full. */
export const consumeWindowAttempt = async (
  { db, clock }: ThrottleDeps,
  bucket: string,
  limit: WindowLimit,
): Promise<void> => {
  const now = clock();
  if (!(await write(db, 'global', (tx) => countWindowAttempt(tx, { bucket, now, ...limit })))) {
    await rejectAttempt(db, bucket, now);
  }
};

/** For a correct password: clears the pair and refunds this attempt to address and account. */
export const resetLoginAttempts = async (
  { db }: Pick<Deps, 'db'>,
  { accountAddress, address, account }: LoginBuckets,
): Promise<void> => {
  await write(db, 'global', (tx) => deleteBucket(tx, accountAddress));
  await refundWindowAttempts({ db }, [address, account]);
};

/** For a password that could not be checked: the attempt does not count. */
export const refundLoginAttempt = (
  { db }: Pick<Deps, 'db'>,
  { accountAddress, address, account }: LoginBuckets,
): Promise<void> => refundWindowAttempts({ db }, [accountAddress, address, account]);

/** Gives back attempts of windows, each in a transaction of its own. */
export const refundWindowAttempts = async (
  { db }: Pick<Deps, 'db'>,
  buckets: readonly string[],
): Promise<void> => {
  for (const bucket of buckets) {
    await write(db, 'global', (tx) => refundAttempt(tx, bucket));
  }
};

const rejectAttempt = async (db: Db, bucket: string, now: Date): Promise<never> => {
  const blockedUntil = await read(db, 'global', (tx) => findBlockedUntil(tx, bucket));
  const waitMs = Math.max(0, (blockedUntil?.getTime() ?? 0) - now.getTime());
  throw new AppError('login_throttled', 'Too many sign-ins; wait before the next one.', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  });
};
