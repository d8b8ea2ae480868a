/**
 * breaking: no
 *
 * Authenticator apps, recovery codes, passkeys, and the challenges of sign-ins under way. Nobody needs a factor
 * until they set one up. Nothing here is a credential by itself: secrets are encrypted, codes and challenges are
 * digests, and of a passkey only the public key is known.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await createApps(db);
  await createPasskeys(db);
  await createChallenges(db);
};

const createApps = async (db: Database): Promise<void> => {
  await db.raw(`
    create table auth.totp_factors (
      operator_id uuid primary key references auth.operators (id) on delete cascade,
      -- AES-256-GCM under the key that key_id names.
      sealed_secret text not null,
      key_id text not null,
      created_at timestamptz not null,
      -- Null: begun, and not needed at sign-in.
      confirmed_at timestamptz,
      -- The newest time step whose code was used: no code works twice.
      last_step bigint
    )
  `);
  await db.raw(`
    create table auth.recovery_codes (
      operator_id uuid not null references auth.totp_factors (operator_id) on delete cascade,
      digest text not null,
      primary key (operator_id, digest)
    )
  `);
};

const createPasskeys = async (db: Database): Promise<void> => {
  await db.raw(`
    create table auth.passkeys (
      id uuid primary key,
      operator_id uuid not null references auth.operators (id) on delete cascade,
      credential_id text not null unique,
      public_key bytea not null,
      counter bigint not null,
      is_backed_up boolean not null,
      transports text[] not null,
      name text not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )
  `);
  await db.raw('create index passkeys_of_operator on auth.passkeys (operator_id, id)');
  await db.raw('alter table auth.sessions add column if not exists passkey_id uuid');
  await db.raw(`
    alter table auth.sign_ins
      add column if not exists reason text
        constraint sign_ins_reason_check check (reason in ('passkey_counter')),
      drop constraint if exists sign_ins_method_check,
      add constraint sign_ins_method_check check (
        method in ('password', 'setup', 'invite', 'oidc', 'passkey', 'totp', 'recovery_code')
      )
  `);
};

const createChallenges = async (db: Database): Promise<void> => {
  await db.raw(`
    create table auth.sign_in_challenges (
      digest text primary key check (digest ~ '^[0-9a-f]{64}$'),
      kind text not null check (kind in ('second_factor', 'passkey', 'new_passkey')),
      -- Null: the passkey says who signs in.
      operator_id uuid references auth.operators (id) on delete cascade,
      session_epoch integer,
      network text not null,
      attempts integer not null default 0,
      expires_at timestamptz not null
    )
  `);
  await db.raw('create index sign_in_challenges_by_age on auth.sign_in_challenges (expires_at)');
  await db.raw(
    'create index sign_in_challenges_of_operator on auth.sign_in_challenges (operator_id)',
  );
};
