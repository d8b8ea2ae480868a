import type { GlobalTx } from '@commonplace/db';

export type WindowTry = {
  readonly bucket: string;
  readonly now: Date;
  readonly triesMax: number;
  readonly windowSeconds: number;
};

/**
 * Counts a try in a window of time that begins with its first, or says false: the window is full.
 * Count and verdict are one statement, as in `countPairTry`.
 */
export const countWindowTry = async (tx: GlobalTx, window: WindowTry): Promise<boolean> => {
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
    [window.bucket, window.now, window.triesMax, window.windowSeconds],
  );
  return rows.length > 0;
};
