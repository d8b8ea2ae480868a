import type { SessionMethod } from '@commonplace/contracts/auth';
import type { OperatorId, SessionId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import type { AccountTx } from './tx.ts';

export type NewSessionRow = {
  /** The hex SHA-256 of the id in the cookie. */
  readonly digest: string;
  readonly data: object;
  readonly id: SessionId;
  readonly operatorId: OperatorId;
  readonly epoch: number;
  readonly at: Date;
  /** When the operator proved who they are. */
  readonly authenticatedAt: Date;
  readonly idleEndsAt: Date;
  readonly endsAt: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly method: SessionMethod;
  /** The methods that an OpenID Connect provider named; empty otherwise. */
  readonly amr: readonly string[];
  /** The passkey that started the session; null for others. */
  readonly passkeyId: string | null;
  /** The identity that began it, and the session at its provider. */
  readonly identityId: string | null;
  readonly providerSid: string | null;
};

/** Inserts a new session; nothing else does. */
export const insertSession = async (tx: GlobalTx, session: NewSessionRow): Promise<void> => {
  await tx.query(
    `insert into auth.sessions (sid, sess, expire, id, operator_id, session_epoch,
                                created_at, last_seen_at, authenticated_at, ends_at, address,
                                user_agent, sign_in_method, amr, passkey_id, identity_id,
                                provider_sid)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      session.digest,
      JSON.stringify(session.data),
      session.idleEndsAt,
      session.id,
      session.operatorId,
      session.epoch,
      session.at,
      session.authenticatedAt,
      session.endsAt,
      session.address,
      session.userAgent,
      session.method,
      session.amr,
      session.passkeyId,
      session.identityId,
      session.providerSid,
    ],
  );
};

export type ActiveSessionRow = {
  readonly id: SessionId;
  readonly sess: object;
  readonly operatorId: OperatorId;
  readonly email: string;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly expire: Date;
  readonly signInMethod: SessionMethod;
  readonly amr: readonly string[];
  /** Whether signing in with the password needs a code. */
  readonly hasTotp: boolean;
  /** Whether its second factor was removed and nothing has confirmed it since. */
  readonly hasLostFactor: boolean;
};

export type SessionLookup = {
  readonly digest: string;
  readonly now: Date;
  /** Extends the session if it was last seen before `ifSeenBefore`. Null when the session is only read. */
  readonly touch: { readonly ifSeenBefore: Date; readonly idleEndsAt: Date } | null;
};

/**
 * Finds an active session (idle and absolute limit, epoch, operator not disabled) and extends it,
 * in one statement. It runs for every request of an operator whose session the gateway has
 * not cached.
 */
export const findActiveSession = async (
  tx: GlobalTx,
  { digest, now, touch }: SessionLookup,
): Promise<ActiveSessionRow | null> => {
  const [row] = await tx.query<ActiveSessionRow>(
    `with active as (
       select s.sid, s.id, s.sess, s.operator_id, s.expire, s.last_seen_at,
              o.email, o.name, o.is_admin, s.sign_in_method, s.amr, s.has_lost_factor,
              exists (
                select from auth.totp_factors f
                 where f.operator_id = o.id and f.confirmed_at is not null
              ) as has_totp
         from auth.sessions s
         join auth.operators o on o.id = s.operator_id
        where s.sid = $1
          and s.expire > $2
          and s.ends_at > $2
          and s.session_epoch = o.session_epoch
          and o.disabled_at is null
     ), touched as (
       update auth.sessions s
          set last_seen_at = $2, expire = least(s.ends_at, $4::timestamptz)
         from active
        where s.sid = active.sid and active.last_seen_at <= $3::timestamptz
       returning s.sid, s.expire
     )
     select active.id, active.sess, active.operator_id as "operatorId", active.email, active.name,
            active.is_admin as "isAdmin", active.sign_in_method as "signInMethod", active.amr,
            active.has_totp as "hasTotp", active.has_lost_factor as "hasLostFactor",
            coalesce(touched.expire, active.expire) as expire
       from active
       left join touched on touched.sid = active.sid`,
    [digest, now, touch?.ifSeenBefore ?? null, touch?.idleEndsAt ?? null],
  );
  return row ?? null;
};

export type OwnSession = {
  readonly id: SessionId;
  readonly operatorId: OperatorId;
  readonly now: Date;
};

/**
 * Whether a session is active, as for `findActiveSession`; prevents its end until the transaction
 * ends. Lock the operator first: its epoch must not change.
 */
export const lockActiveSession = async (
  tx: GlobalTx,
  { id, operatorId, now }: OwnSession,
): Promise<boolean> => {
  const rows = await tx.query(
    `select from auth.sessions s
      where s.operator_id = $1
        and s.id = $2
        and s.expire > $3
        and s.ends_at > $3
        and exists (
          select from auth.operators o
           where o.id = $1 and o.disabled_at is null and o.session_epoch = s.session_epoch
        )
        for share of s`,
    [operatorId, id, now],
  );
  return rows.length > 0;
};

export type SessionRow = {
  readonly id: SessionId;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expire: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly signInMethod: SessionMethod;
};

export type SessionPage = {
  readonly operatorId: OperatorId;
  readonly now: Date;
  readonly beforeId: string | null;
  readonly limit: number;
};

/** Lists the active sessions of an operator, newest first (ids sort by age), before a given one. */
export const listActiveSessions = (
  tx: GlobalTx,
  { operatorId, now, beforeId, limit }: SessionPage,
): Promise<SessionRow[]> =>
  tx.query<SessionRow>(
    `select s.id, s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", s.expire, s.address,
            s.user_agent as "userAgent", s.sign_in_method as "signInMethod"
       from auth.sessions s
       join auth.operators o on o.id = s.operator_id and o.session_epoch = s.session_epoch
      where s.operator_id = $1
        and s.expire > $2
        and ($3::uuid is null or s.id < $3)
      order by s.id desc
      limit $4`,
    [operatorId, now, beforeId, limit],
  );

/** Writes the data of a session, if it still exists. */
export const updateSessionData = async (
  tx: GlobalTx,
  { digest, data }: { readonly digest: string; readonly data: object },
): Promise<void> => {
  await tx.query('update auth.sessions set sess = $2 where sid = $1', [
    digest,
    JSON.stringify(data),
  ]);
};

type SessionRenewal = {
  readonly operatorId: OperatorId;
  readonly formerId: SessionId;
  readonly id: SessionId;
  /** That of its next cookie. */
  readonly digest: string;
};

/** Gives a session another id and another cookie, so that the former ones name nothing; false if it has ended. */
export const renewSession = async (
  tx: AccountTx,
  { operatorId, formerId, id, digest }: SessionRenewal,
): Promise<boolean> => {
  const rows = await tx.query(
    `update auth.sessions
        set id = $3::uuid, sid = $4,
            sess = jsonb_set(sess, '{signedIn,sessionId}', to_jsonb($3::uuid))
      where operator_id = $1 and id = $2
      returning 1`,
    [operatorId, formerId, id, digest],
  );
  return rows.length > 0;
};

/** Keeps one session in the new epoch of its operator. */
export const moveSessionToEpoch = async (
  tx: AccountTx,
  { id, epoch }: { readonly id: SessionId; readonly epoch: number },
): Promise<void> => {
  await tx.query('update auth.sessions set session_epoch = $2 where id = $1', [id, epoch]);
};

/**
 * Returns when the operator of a session last proved who they are; null means there is no such session.
 */
export const findAuthenticatedAt = async (
  tx: GlobalTx,
  { id, operatorId }: Pick<OwnSession, 'id' | 'operatorId'>,
): Promise<Date | null> => {
  const [row] = await tx.query<{ at: Date }>(
    `select coalesce(authenticated_at, created_at) as at
       from auth.sessions
      where operator_id = $1 and id = $2`,
    [operatorId, id],
  );
  return row?.at ?? null;
};

/**
 * Records that the operator of a session proved who they are; with a passkey, the session is one of that passkey, and
 * still rests on those before it.
 */
export const updateAuthenticatedAt = async (
  tx: AccountTx,
  { id, operatorId, now, passkeyId }: OwnSession & { readonly passkeyId: string | null },
): Promise<void> => {
  await tx.query(
    `update auth.sessions
        set authenticated_at = $3,
            has_lost_factor = false,
            former_passkey_ids = case
              when passkey_id <> $4 then array_append(array_remove(former_passkey_ids, passkey_id), passkey_id)
              else former_passkey_ids
            end,
            passkey_id = coalesce($4, passkey_id),
            sign_in_method = case when $4::uuid is null then sign_in_method else 'passkey' end
      where operator_id = $1 and id = $2`,
    [operatorId, id, now, passkeyId],
  );
};

/**
 * Makes the sessions of a removed passkey ones without a second factor, unless another passkey confirmed them since:
 * what proved it is gone. Call it after the others have ended.
 */
export const forgetPasskeyOfSession = async (
  tx: AccountTx,
  { operatorId, passkeyId }: { readonly operatorId: OperatorId; readonly passkeyId: string },
): Promise<void> => {
  await tx.query(
    `update auth.sessions
        set former_passkey_ids = array_remove(former_passkey_ids, $2),
            passkey_id = nullif(passkey_id, $2),
            sign_in_method = case when passkey_id = $2 then 'password' else sign_in_method end,
            has_lost_factor = has_lost_factor or passkey_id is not distinct from $2
      where operator_id = $1 and (passkey_id = $2 or $2 = any (former_passkey_ids))`,
    [operatorId, passkeyId],
  );
};

/** The same for an unlinked identity. Call it before `deleteIdentity`. */
export const forgetIdentityOfSession = async (
  tx: AccountTx,
  { operatorId, identityId }: { readonly operatorId: OperatorId; readonly identityId: string },
): Promise<void> => {
  await tx.query(
    `update auth.sessions
        set identity_id = null, amr = '{}',
            has_lost_factor = has_lost_factor or sign_in_method = 'oidc',
            sign_in_method = case when sign_in_method = 'oidc' then 'password' else sign_in_method end
      where operator_id = $1 and identity_id = $2`,
    [operatorId, identityId],
  );
};

/** Records that a code of its new authenticator app is the second factor of a session. */
export const restoreFactorOfSession = async (
  tx: AccountTx,
  { id, operatorId }: { readonly id: SessionId | null; readonly operatorId: OperatorId },
): Promise<void> => {
  await tx.query(
    'update auth.sessions set has_lost_factor = false where operator_id = $1 and id = $2',
    [operatorId, id],
  );
};

/** What a session was started with, and which factors its operator has. */
export type SignInProof = Pick<
  ActiveSessionRow,
  'signInMethod' | 'amr' | 'hasTotp' | 'hasLostFactor'
> & {
  readonly hasPasskey: boolean;
  /** Whether an identity of the configured provider is linked. */
  readonly hasIdentity: boolean;
};

/** Reads what a session was started with; null if it has ended. `issuer` is that of the configured provider. */
export const findSignInProof = async (
  tx: GlobalTx,
  {
    id,
    operatorId,
    issuer,
  }: Pick<OwnSession, 'id' | 'operatorId'> & { readonly issuer: string | null },
): Promise<SignInProof | null> => {
  const [row] = await tx.query<SignInProof>(
    `select s.sign_in_method as "signInMethod", s.amr, s.has_lost_factor as "hasLostFactor",
            exists (
              select from auth.totp_factors f
               where f.operator_id = s.operator_id and f.confirmed_at is not null
            ) as "hasTotp",
            exists (
              select from auth.passkeys p where p.operator_id = s.operator_id
            ) as "hasPasskey",
            exists (
              select from auth.identities i
               where i.operator_id = s.operator_id and i.issuer = $3
            ) as "hasIdentity"
       from auth.sessions s
      where s.operator_id = $1 and s.id = $2`,
    [operatorId, id, issuer],
  );
  return row ?? null;
};
