/**
 * breaking: no
 *
 * Identities of OpenID Connect: (issuer, subject) of an operator, never the e-mail. Sessions name the
 * identity that began them and the session at the provider, so that a back-channel logout finds them.
 * `used_tokens` makes attempts and logout tokens work once over all replicas. Operators without a
 * password of their own have one that nobody knows; `has_password` tells them apart.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    create table if not exists auth.identities (
      id uuid primary key,
      operator_id uuid not null references auth.operators (id) on delete cascade,
      issuer text not null,
      subject text not null,
      email text,
      created_at timestamptz not null,
      last_used_at timestamptz,
      unique (issuer, subject)
    )
  `);
  await db.raw(
    'create index if not exists identities_of_operator on auth.identities (operator_id, id)',
  );
  await db.raw(`
    alter table auth.sessions
      add column if not exists identity_id uuid
        references auth.identities (id) on delete set null,
      add column if not exists provider_sid text
  `);
  await db.raw(`
    create index if not exists sessions_of_identity on auth.sessions (identity_id)
      where identity_id is not null
  `);
  await db.raw(`
    alter table auth.operators
      add column if not exists has_password boolean not null default true
  `);
  await db.raw(`
    create table if not exists auth.used_tokens (
      digest text primary key check (digest ~ '^[0-9a-f]{64}$'),
      expires_at timestamptz not null
    )
  `);
  await db.raw('create index if not exists used_tokens_by_age on auth.used_tokens (expires_at)');
};
