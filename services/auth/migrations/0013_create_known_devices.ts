/**
 * breaking: no
 *
 * Browsers that an operator signed in with before, by the digest of a random cookie. Their attempts have counters of
 * their own, so nobody else can use those up. A challenge belongs to the counter that it was made under (`share`),
 * and only challenges of the same one replace each other; null: made by the release before.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    create table if not exists auth.known_devices (
      operator_id uuid not null references auth.operators (id) on delete cascade,
      digest text not null check (digest ~ '^[0-9a-f]{64}$'),
      last_used_at timestamptz not null,
      primary key (operator_id, digest)
    )
  `);
  await db.raw(
    'create index if not exists known_devices_by_age on auth.known_devices (last_used_at)',
  );
  await db.raw('create index if not exists known_devices_by_digest on auth.known_devices (digest)');
  await db.raw('alter table auth.sign_in_challenges add column if not exists share text');
};
