import type { GlobalTx } from '@commonplace/db';

/** Gives back one try that turned out right; the others stay counted. */
export const returnTry = async (tx: GlobalTx, bucket: string): Promise<void> => {
  await tx.query(
    `update auth.login_buckets set tries = greatest(tries - 1, 0), blocked_until = null
      where bucket = $1`,
    [bucket],
  );
};
