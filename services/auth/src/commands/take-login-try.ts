import { AppError } from '@commonplace/contracts/core';
import { runGlobal, type GlobalTx } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import {
  accountLimit,
  addressLimit,
  pairMemoryFreeSeconds,
  pairMemorySeconds,
  pairTriesFree,
  pairWaitFirstSeconds,
  pairWaitMaxSeconds,
  type LoginBuckets,
} from '../policy/login-buckets.ts';
import { countPairTry } from '../queries/count-pair-try.ts';
import { countWindowTry } from '../queries/count-window-try.ts';
import { deleteBucket } from '../queries/delete-bucket.ts';
import { findBlockedUntil } from '../queries/find-blocked-until.ts';
import { returnTry } from '../queries/return-try.ts';

const pairLimit = {
  triesFree: pairTriesFree,
  waitFirstSeconds: pairWaitFirstSeconds,
  waitMaxSeconds: pairWaitMaxSeconds,
  memorySeconds: pairMemorySeconds,
  memoryFreeSeconds: pairMemoryFreeSeconds,
};

type ThrottleDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Counts a try against its address, its pair of account and address, and its account, as if it were
 * wrong, before anything looks at the password: so any number of tries at once get no more than the
 * limits. 429 when one of them is reached; what was counted before is given back, because only tries that
 * are looked at count. The address comes first: it is the one of the three that a caller cannot make up, so
 * no address adds more rows than it has tries. Statements commit one by one: no try waits for another's.
 */
export const takeLoginTry = ({ db, clock }: ThrottleDeps, buckets: LoginBuckets): Promise<void> =>
  runGlobal(db, async (tx) => {
    const now = clock();
    const { pair, address, account } = buckets;
    const counts = [
      [address, () => countWindowTry(tx, { bucket: address, now, ...addressLimit })],
      [pair, () => countPairTry(tx, { bucket: pair, now, ...pairLimit })],
      [account, () => countWindowTry(tx, { bucket: account, now, ...accountLimit })],
    ] as const;
    const taken: string[] = [];
    for (const [bucket, count] of counts) {
      if (!(await count())) {
        await giveBack(tx, taken);
        await refuse(tx, bucket, now);
      }
      taken.push(bucket);
    }
  });

/** The try was right: the pair is forgiven its wrong ones, address and account get this one back. */
export const forgiveLoginTry = ({ db }: Pick<Deps, 'db'>, buckets: LoginBuckets): Promise<void> =>
  runGlobal(db, async (tx) => {
    await deleteBucket(tx, buckets.pair);
    await giveBack(tx, [buckets.address, buckets.account]);
  });

/** Nobody could look at the password: the try was neither right nor wrong, and is not counted. */
export const returnLoginTry = (
  { db }: Pick<Deps, 'db'>,
  { pair, address, account }: LoginBuckets,
): Promise<void> => runGlobal(db, (tx) => giveBack(tx, [pair, address, account]));

const giveBack = async (tx: GlobalTx, buckets: readonly string[]): Promise<void> => {
  for (const bucket of buckets) {
    await returnTry(tx, bucket);
  }
};

const refuse = async (tx: GlobalTx, bucket: string, now: Date): Promise<never> => {
  const blockedUntil = await findBlockedUntil(tx, bucket);
  const waitMs = Math.max(0, (blockedUntil?.getTime() ?? 0) - now.getTime());
  throw new AppError('login_throttled', 'Too many wrong tries; wait before the next one.', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  });
};
