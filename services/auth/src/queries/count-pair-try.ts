import type { GlobalTx } from '@commonplace/db';

export type PairTry = {
  readonly bucket: string;
  readonly now: Date;
  readonly triesFree: number;
  readonly waitFirstSeconds: number;
  readonly waitMaxSeconds: number;
  /** How long a pair is remembered that must wait, and one that need not. */
  readonly memorySeconds: number;
  readonly memoryFreeSeconds: number;
};

/**
 * Counts a try that is about to be made, or says false: it must wait. Count and verdict are one
 * statement, so that of any number at once no more get through than one after the other. From the
 * last free try on, each one blocks the next for twice as long.
 */
export const countPairTry = async (tx: GlobalTx, pair: PairTry): Promise<boolean> => {
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
      pair.triesFree,
      pair.waitFirstSeconds,
      pair.waitMaxSeconds,
      pair.memorySeconds,
      pair.memoryFreeSeconds,
    ],
  );
  return rows.length > 0;
};
