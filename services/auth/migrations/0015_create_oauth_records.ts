/**
 * breaking: no
 *
 * What the OAuth server keeps: clients, grants, interactions (a consent page that waits), codes and tokens. An id is
 * stored as its SHA-256, and no payload holds it, so that nobody who reads the table can use a code or a token. A grant
 * has the id of its connection in the agents service.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    create table if not exists auth.oauth_records (
      kind text not null check (kind in (
        'AccessToken', 'AuthorizationCode', 'Client', 'Grant', 'Interaction', 'RefreshToken'
      )),
      digest text not null check (digest ~ '^[0-9a-f]{64}$'),
      payload jsonb not null,
      grant_id uuid,
      client_id text,
      issued_by text,
      operator_id uuid,
      uses integer not null default 0,
      consumed_at timestamptz,
      last_used_at timestamptz not null,
      expires_at timestamptz,
      primary key (kind, digest)
    )
  `);
  await db.raw(
    'create index if not exists oauth_records_of_grant on auth.oauth_records (grant_id) where grant_id is not null',
  );
  await db.raw(
    'create index if not exists oauth_records_of_client on auth.oauth_records (client_id) where client_id is not null',
  );
  await db.raw(
    'create index if not exists oauth_records_of_issuer on auth.oauth_records (issued_by) where issued_by is not null',
  );
  await db.raw(
    'create index if not exists oauth_records_by_expiry on auth.oauth_records (expires_at) where expires_at is not null',
  );
  await db.raw(
    "create index if not exists oauth_clients_by_use on auth.oauth_records (last_used_at) where kind = 'Client'",
  );
};
