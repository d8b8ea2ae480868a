-- Written by pnpm schema from the migrations; not read by any program.

create table auth.account_handovers (
  begun_at timestamp with time zone not null,
  begun_by uuid,
  expires_at timestamp with time zone not null,
  operator_id uuid not null,
  token_digest text not null,
  constraint account_handovers_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES auth.operators(id) ON DELETE CASCADE,
  constraint account_handovers_pkey PRIMARY KEY (operator_id),
  constraint account_handovers_token_digest_check CHECK ((token_digest ~ '^[0-9a-f]{64}$'::text)),
  constraint account_handovers_token_digest_key UNIQUE (token_digest)
);
grant delete, insert, select, update on auth.account_handovers to auth_app;

create table auth.backups (
  bytes bigint,
  finished_at timestamp with time zone not null,
  is_verified boolean not null,
  total_rows bigint not null,
  constraint backups_pkey PRIMARY KEY (finished_at)
);
grant select on auth.backups to auth_app;

create table auth.configuration_fingerprints (
  fingerprint text not null,
  first_seen_at timestamp with time zone not null,
  name text not null,
  constraint configuration_fingerprints_pkey PRIMARY KEY (name, fingerprint)
);
grant delete, insert, select, update on auth.configuration_fingerprints to auth_app;

create table auth.identities (
  created_at timestamp with time zone not null,
  email text,
  id uuid not null,
  issuer text not null,
  last_used_at timestamp with time zone,
  operator_id uuid not null,
  subject text not null,
  constraint identities_issuer_subject_key UNIQUE (issuer, subject),
  constraint identities_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES auth.operators(id) ON DELETE CASCADE,
  constraint identities_pkey PRIMARY KEY (id)
);
grant delete, insert, select, update on auth.identities to auth_app;

create table auth.instance (
  first_operator_id uuid,
  local_memberships_adopted_at timestamp with time zone,
  only_row boolean not null default true,
  setup_token_digest text,
  constraint instance_first_operator_id_fkey FOREIGN KEY (first_operator_id) REFERENCES auth.operators(id),
  constraint instance_only_row_check CHECK (only_row),
  constraint instance_pkey PRIMARY KEY (only_row)
);
grant select, update on auth.instance to auth_app;

create table auth.instance_activity (
  action text not null,
  actor_email text,
  actor_id uuid,
  actor_kind text not null,
  at timestamp with time zone not null,
  detail jsonb not null,
  id uuid not null,
  operator_email text not null,
  operator_id uuid not null,
  constraint instance_activity_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['operator'::text, 'shell'::text, 'system'::text]))),
  constraint instance_activity_pkey PRIMARY KEY (id)
);
grant insert, select on auth.instance_activity to auth_app;

create table auth.known_devices (
  digest text not null,
  last_used_at timestamp with time zone not null,
  operator_id uuid not null,
  constraint known_devices_digest_check CHECK ((digest ~ '^[0-9a-f]{64}$'::text)),
  constraint known_devices_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES auth.operators(id) ON DELETE CASCADE,
  constraint known_devices_pkey PRIMARY KEY (operator_id, digest)
);
grant delete, insert, select, update on auth.known_devices to auth_app;

create table auth.login_buckets (
  blocked_until timestamp with time zone,
  bucket text not null,
  forgotten_at timestamp with time zone not null,
  tries integer not null,
  constraint login_buckets_pkey PRIMARY KEY (bucket)
) with (fillfactor=70);
grant delete, insert, select, update on auth.login_buckets to auth_app;

create table auth.oauth_records (
  client_id text,
  consumed_at timestamp with time zone,
  digest text not null,
  expires_at timestamp with time zone,
  grant_id uuid,
  issued_by text,
  kind text not null,
  last_used_at timestamp with time zone not null,
  operator_id uuid,
  payload jsonb not null,
  uses integer not null default 0,
  constraint oauth_records_digest_check CHECK ((digest ~ '^[0-9a-f]{64}$'::text)),
  constraint oauth_records_kind_check CHECK ((kind = ANY (ARRAY['AccessToken'::text, 'AuthorizationCode'::text, 'Client'::text, 'Grant'::text, 'Interaction'::text, 'RefreshToken'::text]))),
  constraint oauth_records_pkey PRIMARY KEY (kind, digest)
);
grant delete, insert, select, update on auth.oauth_records to auth_app;

create table auth.operators (
  access_epoch integer not null default 0,
  created_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  email text not null,
  email_verified_at timestamp with time zone,
  has_password boolean not null default true,
  id uuid not null,
  is_admin boolean not null,
  last_sign_in_at timestamp with time zone,
  name text not null,
  password_hash text not null,
  pepper_id text not null,
  session_epoch integer not null default 1,
  constraint operators_email_key UNIQUE (email),
  constraint operators_pkey PRIMARY KEY (id)
);
grant delete, insert, select, update on auth.operators to auth_app;

create table auth.passkeys (
  counter bigint not null,
  created_at timestamp with time zone not null,
  credential_id text not null,
  id uuid not null,
  is_backed_up boolean not null,
  last_used_at timestamp with time zone,
  name text not null,
  operator_id uuid not null,
  public_key bytea not null,
  transports text[] not null,
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES auth.operators(id) ON DELETE CASCADE,
  constraint passkeys_pkey PRIMARY KEY (id)
);
grant delete, insert, select, update on auth.passkeys to auth_app;

create table auth.recovery_codes (
  digest text not null,
  operator_id uuid not null,
  constraint recovery_codes_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES auth.totp_factors(operator_id) ON DELETE CASCADE,
  constraint recovery_codes_pkey PRIMARY KEY (operator_id, digest)
);
grant delete, insert, select, update on auth.recovery_codes to auth_app;

create table auth.sessions (
  address text,
  amr text[] not null default '{}'::text[],
  authenticated_at timestamp with time zone,
  created_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  expire timestamp with time zone not null,
  former_passkey_ids uuid[] not null default '{}'::uuid[],
  has_lost_factor boolean not null default false,
  id uuid not null,
  identity_id uuid,
  last_seen_at timestamp with time zone not null,
  operator_id uuid not null,
  passkey_id uuid,
  provider_sid text,
  sess jsonb not null,
  session_epoch integer not null,
  sid text not null,
  sign_in_method text not null default 'password'::text,
  user_agent text,
  constraint sessions_id_key UNIQUE (id),
  constraint sessions_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES auth.identities(id) ON DELETE SET NULL,
  constraint sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES auth.operators(id) ON DELETE CASCADE,
  constraint sessions_pkey PRIMARY KEY (sid),
  constraint sessions_sid_check CHECK ((sid ~ '^[0-9a-f]{64}$'::text)),
  constraint sessions_sign_in_method_check CHECK ((sign_in_method = ANY (ARRAY['password'::text, 'oidc'::text, 'passkey'::text])))
);
grant delete, insert, select, update on auth.sessions to auth_app;

create table auth.sign_in_challenges (
  attempts integer not null default 0,
  digest text not null,
  expires_at timestamp with time zone not null,
  kind text not null,
  network text not null,
  operator_id uuid,
  session_epoch integer,
  share text,
  constraint sign_in_challenges_digest_check CHECK ((digest ~ '^[0-9a-f]{64}$'::text)),
  constraint sign_in_challenges_kind_check CHECK ((kind = ANY (ARRAY['second_factor'::text, 'passkey'::text, 'new_passkey'::text]))),
  constraint sign_in_challenges_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES auth.operators(id) ON DELETE CASCADE,
  constraint sign_in_challenges_pkey PRIMARY KEY (digest)
);
grant delete, insert, select, update on auth.sign_in_challenges to auth_app;

create table auth.sign_ins (
  address text,
  at timestamp with time zone not null,
  email text not null,
  id uuid not null,
  method text not null,
  operator_id uuid,
  outcome text not null,
  reason text,
  user_agent text,
  constraint sign_ins_method_check CHECK ((method = ANY (ARRAY['password'::text, 'setup'::text, 'invite'::text, 'oidc'::text, 'passkey'::text, 'totp'::text, 'recovery_code'::text, 'handover'::text]))),
  constraint sign_ins_outcome_check CHECK ((outcome = ANY (ARRAY['success'::text, 'failure'::text]))),
  constraint sign_ins_pkey PRIMARY KEY (id),
  constraint sign_ins_reason_check CHECK ((reason = 'passkey_counter'::text))
);
grant insert, select on auth.sign_ins to auth_app;

create table auth.totp_factors (
  confirmed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  key_id text not null,
  last_step bigint,
  operator_id uuid not null,
  sealed_secret text not null,
  constraint totp_factors_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES auth.operators(id) ON DELETE CASCADE,
  constraint totp_factors_pkey PRIMARY KEY (operator_id)
);
grant delete, insert, select, update on auth.totp_factors to auth_app;

create table auth.used_tokens (
  digest text not null,
  expires_at timestamp with time zone not null,
  constraint used_tokens_digest_check CHECK ((digest ~ '^[0-9a-f]{64}$'::text)),
  constraint used_tokens_pkey PRIMARY KEY (digest)
);
grant delete, insert, select, update on auth.used_tokens to auth_app;

CREATE INDEX identities_of_operator ON auth.identities USING btree (operator_id, id);

CREATE INDEX instance_activity_by_age ON auth.instance_activity USING btree (at);

CREATE INDEX instance_activity_of_actor ON auth.instance_activity USING btree (actor_id, id);

CREATE INDEX instance_activity_of_operator ON auth.instance_activity USING btree (operator_id, id);

CREATE INDEX known_devices_by_age ON auth.known_devices USING btree (last_used_at);

CREATE INDEX known_devices_by_digest ON auth.known_devices USING btree (digest);

CREATE INDEX login_buckets_by_age ON auth.login_buckets USING btree (forgotten_at);

CREATE INDEX oauth_clients_by_use ON auth.oauth_records USING btree (last_used_at) WHERE (kind = 'Client'::text);

CREATE INDEX oauth_records_by_expiry ON auth.oauth_records USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX oauth_records_of_client ON auth.oauth_records USING btree (client_id) WHERE (client_id IS NOT NULL);

CREATE INDEX oauth_records_of_grant ON auth.oauth_records USING btree (grant_id) WHERE (grant_id IS NOT NULL);

CREATE INDEX oauth_records_of_issuer ON auth.oauth_records USING btree (issued_by) WHERE (issued_by IS NOT NULL);

CREATE INDEX passkeys_of_operator ON auth.passkeys USING btree (operator_id, id);

CREATE INDEX sessions_by_expire ON auth.sessions USING btree (expire);

CREATE INDEX sessions_of_identity ON auth.sessions USING btree (identity_id) WHERE (identity_id IS NOT NULL);

CREATE INDEX sessions_of_operator ON auth.sessions USING btree (operator_id, id);

CREATE INDEX sign_in_challenges_by_age ON auth.sign_in_challenges USING btree (expires_at);

CREATE INDEX sign_in_challenges_of_operator ON auth.sign_in_challenges USING btree (operator_id);

CREATE INDEX sign_ins_by_age ON auth.sign_ins USING btree (at);

CREATE INDEX sign_ins_of_operator ON auth.sign_ins USING btree (operator_id, id);

CREATE INDEX used_tokens_by_age ON auth.used_tokens USING btree (expires_at);

CREATE OR REPLACE FUNCTION auth.forget_instance_activity(before timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$ delete from auth.instance_activity where at < least(before, now() - interval '365 days') $function$
;
grant execute on function auth.forget_instance_activity to auth_app;

CREATE OR REPLACE FUNCTION auth.forget_sign_ins(before timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$ delete from auth.sign_ins where at < least(before, now() - interval '90 days') $function$
;
grant execute on function auth.forget_sign_ins to auth_app;
