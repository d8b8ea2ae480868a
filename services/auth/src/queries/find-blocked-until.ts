import type { GlobalTx } from '@commonplace/db';

/** Until when a bucket lets nothing through; null: it does. */
export const findBlockedUntil = async (tx: GlobalTx, bucket: string): Promise<Date | null> => {
  const [row] = await tx.query<{ blocked_until: Date | null }>(
    'select blocked_until from auth.login_buckets where bucket = $1',
    [bucket],
  );
  return row?.blocked_until ?? null;
};
