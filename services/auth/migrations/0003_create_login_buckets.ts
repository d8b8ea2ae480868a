/**
 * breaking: no
 *
 * Counts of sign-in tries, for all replicas together. A bucket is the SHA-256 of what it counts (an
 * account, an address, both): e-mails that somebody typed in are not kept in clear.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    create table auth.login_buckets (
      bucket text primary key,
      tries integer not null,
      -- Nothing is let through before this.
      blocked_until timestamptz,
      -- From here on the bucket counts anew, or may be swept.
      forgotten_at timestamptz not null
    ) with (fillfactor = 70)
  `);
  await db.raw('create index login_buckets_by_age on auth.login_buckets (forgotten_at)');
};
