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
 * Counts a try against its address, its pair of account and address, and its account, as if it were
 * wrong, before anything looks at the password: so any number of tries at once get no more than the
 * limits. 429 when one of them is reached; what was counted before is given back, because only tries that
 * are looked at count. The address comes first: it is the one of the three that a caller cannot make up, so
 * no address adds more rows than it has tries. Statements commit one by one: no try waits for another's.
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
      [account, () => countWindowAttempt(tx, { bucket: account, now, ...accountLimit })],
    ] as const;
    const taken: string[] = [];
    for (const [bucket, count] of counts) {
      if (!(await count())) {
        await refundAttempts(tx, taken);
        await rejectAttempt(tx, bucket, now);
      }
      taken.push(bucket);
    }
  });

/** The try was right: the pair is forgiven its wrong ones, address and account get this one back. */
export const resetLoginAttempts = (
  { db }: Pick<Deps, 'db'>,
  buckets: LoginBuckets,
): Promise<void> =>
  runGlobal(db, async (tx) => {
    await deleteBucket(tx, buckets.accountAddress);
    await refundAttempts(tx, [buckets.address, buckets.account]);
  });

/** Nobody could look at the password: the try was neither right nor wrong, and is not counted. */
export const refundLoginAttempt = (
  { db }: Pick<Deps, 'db'>,
  { accountAddress, address, account }: LoginBuckets,
): Promise<void> => runGlobal(db, (tx) => refundAttempts(tx, [accountAddress, address, account]));

const refundAttempts = async (tx: GlobalTx, buckets: readonly string[]): Promise<void> => {
  for (const bucket of buckets) {
    await refundAttempt(tx, bucket);
  }
};

const rejectAttempt = async (tx: GlobalTx, bucket: string, now: Date): Promise<never> => {
  const blockedUntil = await findBlockedUntil(tx, bucket);
  const waitMs = Math.max(0, (blockedUntil?.getTime() ?? 0) - now.getTime());
  throw new AppError('login_throttled', 'Too many wrong tries; wait before the next one.', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  });
};
