import { AppError } from '@commonplace/contracts/core';
import { runGlobal, type GlobalTx } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import {
  accountLimit,
  addressLimit,
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
};

/**
 * Counts a try against its pair of account and address, its address and its account, as if it were
 * wrong, before anything looks at the password: so any number of tries at once get no more than the
 * limits. 429 when one of them is reached. Statements commit one by one: no try waits for another's.
 */
export const takeLoginTry = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, buckets: LoginBuckets) =>
  runGlobal(db, async (tx) => {
    const now = clock();
    const { pair, address, account } = buckets;
    const limit = async (bucket: string, isTaken: boolean) =>
      isTaken ? undefined : refuse(tx, bucket, now);
    await limit(pair, await countPairTry(tx, { bucket: pair, now, ...pairLimit }));
    await limit(address, await countWindowTry(tx, { bucket: address, now, ...addressLimit }));
    await limit(account, await countWindowTry(tx, { bucket: account, now, ...accountLimit }));
  });

/** The try was right: the pair is forgiven its wrong ones, address and account get this one back. */
export const forgiveLoginTry = ({ db }: Pick<Deps, 'db'>, buckets: LoginBuckets): Promise<void> =>
  runGlobal(db, async (tx) => {
    await deleteBucket(tx, buckets.pair);
    await returnTry(tx, buckets.address);
    await returnTry(tx, buckets.account);
  });

const refuse = async (tx: GlobalTx, bucket: string, now: Date): Promise<never> => {
  const blockedUntil = await findBlockedUntil(tx, bucket);
  const waitMs = Math.max(0, (blockedUntil?.getTime() ?? 0) - now.getTime());
  throw new AppError('login_throttled', 'Too many wrong tries; wait before the next one.', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  });
};
