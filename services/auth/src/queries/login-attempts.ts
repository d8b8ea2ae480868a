import type { GlobalTx } from '@commonplace/db';

export type AccountAddressAttempt = {
  readonly bucket: string;
  readonly now: Date;
  readonly freeAttempts: number;
  readonly firstDelaySeconds: number;
  readonly maxDelaySeconds: number;
  /** How long a pair is remembered that must wait, and one that need not. */
  readonly retentionSeconds: number;
  readonly freeRetentionSeconds: number;
};

/**
 * Counts a try that is about to be made, or says false: it must wait. Count and verdict are one
 * statement, so that of any number at once no more get through than one after the other. From the
 * last free try on, each one blocks the next for twice as long.
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
 * Counts a try in a window of time that begins with its first, or says false: the window is full.
 * Count and verdict are one statement, as in `countPairTry`.
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

/** Until when a bucket lets nothing through; null: it does. */
export const findBlockedUntil = async (tx: GlobalTx, bucket: string): Promise<Date | null> => {
  const [row] = await tx.query<{ blocked_until: Date | null }>(
    'select blocked_until from auth.login_buckets where bucket = $1',
    [bucket],
  );
  return row?.blocked_until ?? null;
};

/**
 * Gives back one try that was not a wrong one; the others stay counted. A bucket without any goes: what was
 * not looked at leaves no row.
 */
export const refundAttempt = async (tx: GlobalTx, bucket: string): Promise<void> => {
  await tx.query(
    'update auth.login_buckets set tries = tries - 1, blocked_until = null where bucket = $1',
    [bucket],
  );
  await tx.query('delete from auth.login_buckets where bucket = $1 and tries <= 0', [bucket]);
};

/** Forgets the wrong tries of a bucket. */
export const deleteBucket = async (tx: GlobalTx, bucket: string): Promise<void> => {
  await tx.query('delete from auth.login_buckets where bucket = $1', [bucket]);
};

/** Sweeps buckets that would count anew anyway. */
export const deleteExpiredBuckets = async (tx: GlobalTx, now: Date): Promise<void> => {
  await tx.query(
    `delete from auth.login_buckets
      where forgotten_at <= $1 and (blocked_until is null or blocked_until <= $1)`,
    [now],
  );
};
