import type { GlobalTx } from '@commonplace/db';

/**
 * Gives back one try that was not a wrong one; the others stay counted. A bucket without any goes: what was
 * not looked at leaves no row.
 */
export const returnTry = async (tx: GlobalTx, bucket: string): Promise<void> => {
  await tx.query(
    'update auth.login_buckets set tries = tries - 1, blocked_until = null where bucket = $1',
    [bucket],
  );
  await tx.query('delete from auth.login_buckets where bucket = $1 and tries <= 0', [bucket]);
};
