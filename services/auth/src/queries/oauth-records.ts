import type { GlobalTx } from '@commonplace/db';

/** The models of the OAuth library that are stored. */
export type OauthKind =
  | 'AccessToken'
  | 'AuthorizationCode'
  | 'Client'
  | 'Grant'
  | 'Interaction'
  | 'RefreshToken';

export type OauthKey = { readonly kind: OauthKind; readonly digest: string };

export type OauthRow = {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly uses: number;
  readonly consumedAt: Date | null;
  readonly operatorId: string | null;
  readonly expiresAt: Date | null;
  /** Whether a token that it was exchanged for has been used itself. */
  readonly hasUsedSuccessor: boolean;
};

const successorIsUsed = `exists (
  select from auth.oauth_records s
   where s.kind = 'RefreshToken' and s.issued_by = r.digest and s.consumed_at is not null
)`;

/** Finds a record that has not expired. */
export const findOauthRecord = async (
  tx: GlobalTx,
  { kind, digest, now }: OauthKey & { readonly now: Date },
): Promise<OauthRow | null> => {
  const [row] = await tx.query<OauthRow>(
    `select r.payload, r.uses, r.consumed_at as "consumedAt", r.operator_id as "operatorId",
            r.expires_at as "expiresAt",
            r.kind = 'RefreshToken' and ${successorIsUsed} as "hasUsedSuccessor"
       from auth.oauth_records r
      where r.kind = $1 and r.digest = $2 and (r.expires_at is null or r.expires_at > $3)`,
    [kind, digest, now],
  );
  return row ?? null;
};

export type NewOauthRecord = OauthKey & {
  readonly payload: object;
  readonly grantId: string | null;
  readonly clientId: string | null;
  readonly now: Date;
  readonly expiresAt: Date | null;
  /** The code or refresh token that it was exchanged for, and how often that was used then; null means none. */
  readonly source: { readonly digest: string; readonly uses: number } | null;
};

/**
 * Inserts a record, or replaces its payload. False if its source was exchanged again meanwhile, or is gone: then it is
 * not stored.
 */
export const upsertOauthRecord = async (tx: GlobalTx, record: NewOauthRecord): Promise<boolean> => {
  const { kind, digest, payload, grantId, clientId, now, expiresAt, source } = record;
  const rows = await tx.query(
    `with source as (
       select r.digest from auth.oauth_records r
        where r.kind in ('AuthorizationCode', 'RefreshToken') and r.digest = $7 and r.uses = $8
          for share
     )
     insert into auth.oauth_records as o (kind, digest, payload, grant_id, client_id, last_used_at, expires_at, issued_by)
     select $1, $2, $3, $4, $5, $6, $9, $7
      where $7::text is null or exists (select from source)
     on conflict (kind, digest) do update
        set payload = excluded.payload, last_used_at = excluded.last_used_at, expires_at = excluded.expires_at
     returning 1`,
    [
      kind,
      digest,
      JSON.stringify(payload),
      grantId,
      clientId,
      now,
      source?.digest ?? null,
      source?.uses ?? null,
      expiresAt,
    ],
  );
  return rows.length > 0;
};

/**
 * Uses a code or a refresh token up, if it was used `uses` times so far, which is what the caller saw: of several at
 * once one succeeds. Returns its grant, or null. A refresh token can be used again until `reusableSince`, while no
 * token it was exchanged for was used.
 */
export const consumeOauthRecord = async (
  tx: GlobalTx,
  {
    kind,
    digest,
    uses,
    now,
    reusableSince,
  }: OauthKey & { readonly uses: number; readonly now: Date; readonly reusableSince: Date },
): Promise<string | null> => {
  const [row] = await tx.query<{ grantId: string }>(
    `update auth.oauth_records r
        set uses = r.uses + 1, consumed_at = coalesce(r.consumed_at, $4), last_used_at = $4
      where r.kind = $1 and r.digest = $2 and r.uses = $3 and r.expires_at > $4
        and (r.consumed_at is null
             or (r.kind = 'RefreshToken' and r.consumed_at > $5 and not ${successorIsUsed}))
     returning r.grant_id as "grantId"`,
    [kind, digest, uses, now, reusableSince],
  );
  return row?.grantId ?? null;
};

/** Locks the refresh tokens that a token was exchanged for: nobody uses them until the transaction ends. */
export const lockIssuedTokens = async (tx: GlobalTx, digest: string): Promise<void> => {
  await tx.query(
    "select from auth.oauth_records where issued_by = $1 and kind = 'RefreshToken' for update",
    [digest],
  );
};

/** Deletes what a code or a refresh token was exchanged for. */
export const deleteIssuedBy = async (tx: GlobalTx, digest: string): Promise<void> => {
  await tx.query('delete from auth.oauth_records where issued_by = $1', [digest]);
};

/** Undoes the use of a code or refresh token whose response was never sent, unless it was used again since. */
export const undoConsumption = async (
  tx: GlobalTx,
  { digest, uses }: { readonly digest: string; readonly uses: number },
): Promise<void> => {
  await tx.query(
    `with undone as (
       update auth.oauth_records
          set consumed_at = null
        where kind in ('AuthorizationCode', 'RefreshToken') and digest = $1 and uses = $2
       returning digest
     )
     delete from auth.oauth_records o using undone where o.issued_by = undone.digest`,
    [digest, uses],
  );
};

/** Deletes one record. */
export const deleteOauthRecord = async (
  tx: GlobalTx,
  { kind, digest }: OauthKey,
): Promise<void> => {
  await tx.query('delete from auth.oauth_records where kind = $1 and digest = $2', [kind, digest]);
};

/** Deletes a grant, and its codes and tokens. */
export const deleteOauthRecordsOfGrant = async (tx: GlobalTx, grantId: string): Promise<void> => {
  await tx.query('delete from auth.oauth_records where grant_id = $1', [grantId]);
};

/** Binds an interaction to the first operator who reads it; returns whose it is, or null if it is over. */
export const bindInteraction = async (
  tx: GlobalTx,
  {
    digest,
    operatorId,
    now,
  }: { readonly digest: string; readonly operatorId: string; readonly now: Date },
): Promise<string | null> => {
  const [row] = await tx.query<{ operatorId: string }>(
    `update auth.oauth_records
        set operator_id = coalesce(operator_id, $2)
      where kind = 'Interaction' and digest = $1 and expires_at > $3 and consumed_at is null
     returning operator_id as "operatorId"`,
    [digest, operatorId, now],
  );
  return row?.operatorId ?? null;
};

/** Claims an interaction for its decision, which is made once; false if it was made, or is made now. */
export const claimInteraction = async (
  tx: GlobalTx,
  {
    digest,
    operatorId,
    now,
  }: { readonly digest: string; readonly operatorId: string; readonly now: Date },
): Promise<boolean> => {
  const rows = await tx.query(
    `update auth.oauth_records
        set consumed_at = $3
      where kind = 'Interaction' and digest = $1 and operator_id = $2 and expires_at > $3
        and consumed_at is null
     returning 1`,
    [digest, operatorId, now],
  );
  return rows.length > 0;
};

/** Gives a claimed interaction back after a decision that failed. */
export const releaseInteraction = async (tx: GlobalTx, digest: string): Promise<void> => {
  await tx.query(
    "update auth.oauth_records set consumed_at = null where kind = 'Interaction' and digest = $1",
    [digest],
  );
};

/** Stores the metadata document that an operator consented to. */
export const storeConsentedClient = async (
  tx: GlobalTx,
  {
    digest,
    clientId,
    payload,
    now,
  }: {
    readonly digest: string;
    readonly clientId: string;
    readonly payload: object;
    readonly now: Date;
  },
): Promise<void> => {
  await tx.query(
    `insert into auth.oauth_records (kind, digest, payload, client_id, last_used_at)
     values ('Client', $1, $2, $3, $4)
     on conflict (kind, digest) do update
        set payload = excluded.payload, last_used_at = excluded.last_used_at`,
    [digest, JSON.stringify(payload), clientId, now],
  );
};

/** Records that a client was used, at most once a day. */
export const touchClient = async (
  tx: GlobalTx,
  { digest, now, ifUsedBefore }: { digest: string; now: Date; ifUsedBefore: Date },
): Promise<void> => {
  await tx.query(
    `update auth.oauth_records set last_used_at = $2
      where kind = 'Client' and digest = $1 and last_used_at < $3`,
    [digest, now, ifUsedBefore],
  );
};

/** Deletes what has expired. */
export const deleteExpiredOauthRecords = async (tx: GlobalTx, now: Date): Promise<void> => {
  await tx.query('delete from auth.oauth_records where expires_at <= $1', [now]);
};

/** Deletes grants of before a time that have no code and no token any more: nobody can get one again. */
export const deleteSpentGrants = async (tx: GlobalTx, before: Date): Promise<void> => {
  await tx.query(
    `delete from auth.oauth_records g
      where g.kind = 'Grant' and g.last_used_at < $1
        and not exists (
          select from auth.oauth_records t
           where t.grant_id = g.grant_id and t.kind <> 'Grant'
        )`,
    [before],
  );
};

/** Deletes clients that nobody used for a time and that have no grant. */
export const deleteUnusedClients = async (tx: GlobalTx, before: Date): Promise<void> => {
  await tx.query(
    `delete from auth.oauth_records c
      where c.kind = 'Client' and c.last_used_at < $1
        and not exists (
          select from auth.oauth_records g
           where g.client_id = c.client_id and g.kind = 'Grant'
        )`,
    [before],
  );
};
