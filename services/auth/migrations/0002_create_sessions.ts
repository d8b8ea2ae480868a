/**
 * breaking: no
 *
 * The table of connect-pg-simple (`sid`, `sess`, `expire`) with what the rules of sessions need in
 * columns of their own. `sid` is the hex SHA-256 of the id in the cookie: who reads this table can
 * become nobody. `expire` is when it idles out, and never later than `ends_at`.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    create table auth.sessions (
      sid text primary key check (sid ~ '^[0-9a-f]{64}$'),
      sess jsonb not null,
      expire timestamptz not null,
      -- The public id, for lists and revoking; v7, so it sorts by age.
      id uuid not null unique,
      operator_id uuid not null references auth.operators (id) on delete cascade,
      session_epoch integer not null,
      created_at timestamptz not null,
      last_seen_at timestamptz not null,
      ends_at timestamptz not null,
      address text,
      user_agent text
    )
  `);
  await db.raw('create index sessions_of_operator on auth.sessions (operator_id, id)');
  await db.raw('create index sessions_by_expire on auth.sessions (expire)');
};
