import type { GlobalTx } from '@commonplace/db';

export type AccountAddressAttempt = {
  readonly bucket: string;
  readonly now: Date;
  readonly freeAttempts: number;
  readonly firstDelaySeconds: number;
  readonly maxDelaySeconds: number;
  /** How long to keep a pair that is delayed, and one that is not. */
  readonly retentionSeconds: number;
  readonly freeRetentionSeconds: number;
};

/**
 * Counts an attempt of a pair of account and address; returns false if the pair must wait. Check
 * and update are one statement, so concurrent attempts cannot exceed the limit. From the last free
 * attempt on, each attempt doubles the delay.
 */
export const countAccountAddressAttempt = async (
  tx: GlobalTx,
  pair: AccountAddressAttempt,
): Promise<boolean> => {
  const rows = await tx.query(
    `insert into auth.login_buckets as b (bucket, tries, blocked_until, forgotten_at)
     values ($1, 1, null, $2::timestamptz + make_interval(secs => $7))
     on conflict (bucket) do update set
       tries = case when b.forgotten_at <= $2 then 1 else b.tries + 1 end,
       blocked_until = case
         when b.forgotten_at <= $2 or b.tries + 1 < $3 then null
         else $2::timestamptz
              + make_interval(secs => least($5, $4 * power(2, least(b.tries + 1 - $3, 20))))
       end,
       forgotten_at = $2::timestamptz + make_interval(
         secs => case when b.forgotten_at <= $2 or b.tries + 1 < $3 then $7 else $6 end
       )
     where b.blocked_until is null or b.blocked_until <= $2
     returning 1`,
    [
      pair.bucket,
      pair.now,
      pair.freeAttempts,
      pair.firstDelaySeconds,
      pair.maxDelaySeconds,
      pair.retentionSeconds,
      pair.freeRetentionSeconds,
    ],
  );
  return rows.length > 0;
};

export type WindowAttempt = {
  readonly bucket: string;
  readonly now: Date;
  readonly attemptsMax: number;
  readonly windowSeconds: number;
};

/**
 * Counts an attempt in a window that starts with its first attempt; returns false if the window is
 * full. Check and update are one statement, as in `countAccountAddressAttempt`.
 */
export const countWindowAttempt = async (tx: GlobalTx, window: WindowAttempt): Promise<boolean> => {
  const rows = await tx.query(
    `insert into auth.login_buckets as b (bucket, tries, blocked_until, forgotten_at)
     values ($1, 1, null, $2::timestamptz + make_interval(secs => $4))
     on conflict (bucket) do update set
       tries = case when b.forgotten_at <= $2 then 1 else b.tries + 1 end,
       blocked_until = case
         when b.forgotten_at > $2 and b.tries + 1 >= $3 then b.forgotten_at
       end,
       forgotten_at = case
         when b.forgotten_at <= $2 then $2::timestamptz + make_interval(secs => $4)
         else b.forgotten_at
       end
     where b.blocked_until is null or b.blocked_until <= $2
     returning 1`,
    [window.bucket, window.now, window.attemptsMax, window.windowSeconds],
  );
  return rows.length > 0;
};

/**
 * Counts an entry of the history in a window; returns false beyond its limit. Unlike `countWindowAttempt` it always
 * writes, so that it takes as long for a full window.
 */
export const countHistoryEntry = async (tx: GlobalTx, window: WindowAttempt): Promise<boolean> => {
  const [row] = await tx.query<{ tries: number }>(
    `insert into auth.login_buckets as b (bucket, tries, blocked_until, forgotten_at)
     values ($1, 1, null, $2::timestamptz + make_interval(secs => $3))
     on conflict (bucket) do update set
       tries = case when b.forgotten_at <= $2 then 1 else least(b.tries + 1, 1000000000) end,
       forgotten_at = case
         when b.forgotten_at <= $2 then $2::timestamptz + make_interval(secs => $3)
         else b.forgotten_at
       end
     returning tries`,
    [window.bucket, window.now, window.windowSeconds],
  );
  return (row?.tries ?? 0) <= window.attemptsMax;
};

/** Returns until when a bucket is blocked; null means it is not. */
export const findBlockedUntil = async (tx: GlobalTx, bucket: string): Promise<Date | null> => {
  const [row] = await tx.query<{ blocked_until: Date | null }>(
    'select blocked_until from auth.login_buckets where bucket = $1',
    [bucket],
  );
  return row?.blocked_until ?? null;
};

/**
 * Removes one attempt from a bucket, and the bucket if it is empty: unchecked attempts leave no
 * rows.
 */
export const refundAttempt = async (tx: GlobalTx, bucket: string): Promise<void> => {
  await tx.query(
    'update auth.login_buckets set tries = tries - 1, blocked_until = null where bucket = $1',
    [bucket],
  );
  await tx.query('delete from auth.login_buckets where bucket = $1 and tries <= 0', [bucket]);
};

/** Deletes a bucket with its attempts. */
export const deleteBucket = async (tx: GlobalTx, bucket: string): Promise<void> => {
  await tx.query('delete from auth.login_buckets where bucket = $1', [bucket]);
};

/** Deletes expired buckets that are not blocked. */
export const deleteExpiredBuckets = async (tx: GlobalTx, now: Date): Promise<void> => {
  await tx.query(
    `delete from auth.login_buckets
      where forgotten_at <= $1 and (blocked_until is null or blocked_until <= $1)`,
    [now],
  );
};
