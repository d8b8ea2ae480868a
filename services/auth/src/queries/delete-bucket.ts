import type { GlobalTx } from '@commonplace/db';

/** Forgets the wrong tries of a bucket. */
export const deleteBucket = async (tx: GlobalTx, bucket: string): Promise<void> => {
  await tx.query('delete from auth.login_buckets where bucket = $1', [bucket]);
};
