/**
 * breaking: no
 *
 * Operators are people, not things of a company: they are members of any number of companies, and the
 * agents service knows of which. So no table of this schema has a company_id or row-level security by
 * company; the walls here are the schema's own roles and the rights given below.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    create table auth.operators (
      id uuid primary key,
      -- Lower case: the contract's schema writes it so before anything compares.
      email text not null unique,
      name text not null,
      password_hash text not null,
      -- Which pepper went into the hash: one is looked up, they are never tried in turn.
      pepper_id text not null,
      is_admin boolean not null,
      disabled_at timestamptz,
      -- Sessions of another epoch are dead: raising it is "log out everywhere" in one row.
      session_epoch integer not null default 1,
      created_at timestamptz not null,
      last_sign_in_at timestamptz
    )
  `);
  // One row for the whole installation. It is also the lock behind which operators are counted.
  await db.raw(`
    create table auth.instance (
      only_row boolean primary key default true check (only_row),
      first_operator_id uuid references auth.operators (id),
      setup_token_digest text,
      local_memberships_adopted_at timestamptz
    )
  `);
  await db.raw('insert into auth.instance default values');
  await db.raw('revoke insert, delete on auth.instance from auth_app');
};
