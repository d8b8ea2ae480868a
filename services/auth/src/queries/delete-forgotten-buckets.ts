import type { GlobalTx } from '@commonplace/db';

/** Sweeps buckets that would count anew anyway. */
export const deleteForgottenBuckets = async (tx: GlobalTx, now: Date): Promise<void> => {
  await tx.query(
    `delete from auth.login_buckets
      where forgotten_at <= $1 and (blocked_until is null or blocked_until <= $1)`,
    [now],
  );
};
