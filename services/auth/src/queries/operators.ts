import type { OperatorId, SessionId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import type { AccountTx } from './tx.ts';

/** A row of `auth.operators`. */
export type OperatorRow = {
  readonly id: OperatorId;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly pepperId: string;
  /** False: nobody knows the password; the operator signs in by an identity. */
  readonly hasPassword: boolean;
  /** Null means that the email is not verified as that of this person. */
  readonly emailVerifiedAt: Date | null;
  readonly isAdmin: boolean;
  readonly disabledAt: Date | null;
  readonly sessionEpoch: number;
  /** How often everything that gave access was removed, or the account disabled. */
  readonly accessEpoch: number;
  readonly createdAt: Date;
  readonly lastSignInAt: Date | null;
};

/** The columns of an `OperatorRow`. */
export const operatorColumns = `
  id, email, name, password_hash as "passwordHash", pepper_id as "pepperId", has_password as "hasPassword",
  email_verified_at as "emailVerifiedAt", is_admin as "isAdmin", disabled_at as "disabledAt",
  session_epoch as "sessionEpoch", access_epoch as "accessEpoch", created_at as "createdAt",
  last_sign_in_at as "lastSignInAt"`;

/** Reads an account. */
export const findOperator = async (tx: GlobalTx, id: OperatorId): Promise<OperatorRow | null> => {
  const [row] = await tx.query<OperatorRow>(
    `select ${operatorColumns} from auth.operators where id = $1`,
    [id],
  );
  return row ?? null;
};

/** Reads an account by its email, which is lower case everywhere. */
export const findOperatorByEmail = async (
  tx: GlobalTx,
  email: string,
): Promise<OperatorRow | null> => {
  const [row] = await tx.query<OperatorRow>(
    `select ${operatorColumns} from auth.operators where email = $1`,
    [email],
  );
  return row ?? null;
};

/** Reads and locks an account: no other transaction changes it or starts its sessions. */
export const lockOperator = async (tx: GlobalTx, id: OperatorId): Promise<OperatorRow | null> => {
  const [row] = await tx.query<OperatorRow>(
    `select ${operatorColumns} from auth.operators where id = $1 for no key update`,
    [id],
  );
  return row ?? null;
};

type OperatorPage = {
  /** Part of the name or email; undefined: all. */
  readonly q: string | undefined;
  readonly afterEmail: string | null;
  readonly limit: number;
};

/** Lists accounts by email, after a given one. */
export const listOperators = (
  tx: GlobalTx,
  { q, afterEmail, limit }: OperatorPage,
): Promise<OperatorRow[]> =>
  tx.query<OperatorRow>(
    `select ${operatorColumns} from auth.operators
      where ($1::text is null or email > $1)
        and ($3::text is null
          or strpos(lower(name), lower($3)) > 0
          or strpos(lower(email), lower($3)) > 0)
      order by email
      limit $2`,
    [afterEmail, limit, q ?? null],
  );

/** An account that can sign in: not disabled, and with a way in, which a handover takes away. */
const canSignIn = `
  o.disabled_at is null and (
    o.has_password
    or exists (select from auth.identities i where i.operator_id = o.id)
    or exists (select from auth.passkeys p where p.operator_id = o.id)
  )`;

/** Counts the other administrators who can sign in. Call it under `lockInstance`. */
export const countOtherAdministrators = async (tx: GlobalTx, id: OperatorId): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from auth.operators o
      where o.is_admin and o.id <> $1 and ${canSignIn}`,
    [id],
  );
  return row?.count ?? 0;
};

export type NewOperator = {
  readonly id: OperatorId;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly pepperId: string;
  readonly hasPassword: boolean;
  readonly isAdmin: boolean;
  readonly isEmailVerified: boolean;
  readonly at: Date;
};

/** Inserts an account; returns null if the email has one. */
export const insertOperator = async (
  tx: GlobalTx,
  operator: NewOperator,
): Promise<OperatorRow | null> => {
  const { id, email, name, passwordHash, pepperId, hasPassword, isAdmin, at } = operator;
  const verifiedAt = operator.isEmailVerified ? at : null;
  const [row] = await tx.query<OperatorRow>(
    `insert into auth.operators (id, email, name, password_hash, pepper_id, has_password, is_admin,
                                 created_at, email_verified_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (email) do nothing
     returning ${operatorColumns}`,
    [id, email, name, passwordHash, pepperId, hasPassword, isAdmin, at, verifiedAt],
  );
  return row ?? null;
};

export type OperatorState = {
  readonly id: OperatorId;
  readonly isAdmin: boolean;
  readonly disabledAt: Date | null;
  /** Ends all sessions, including those that are being created, and what rests on the former access epoch. */
  readonly isNewEpoch: boolean;
};

/** Writes the flags that administrators may change. */
export const updateOperatorState = async (
  tx: AccountTx,
  { id, isAdmin, disabledAt, isNewEpoch }: OperatorState,
): Promise<OperatorRow | null> => {
  const [row] = await tx.query<OperatorRow>(
    `update auth.operators
        set is_admin = $2, disabled_at = $3, session_epoch = session_epoch + $4::int,
            access_epoch = access_epoch + $4::int
      where id = $1
      returning ${operatorColumns}`,
    [id, isAdmin, disabledAt, isNewEpoch ? 1 : 0],
  );
  return row ?? null;
};

/**
 * Increments the session epoch of an operator, which ends all its sessions; null means no such operator.
 */
export const incrementSessionEpoch = async (
  tx: AccountTx,
  id: OperatorId,
): Promise<number | null> => {
  const [row] = await tx.query<{ epoch: number }>(
    `update auth.operators set session_epoch = session_epoch + 1
      where id = $1
      returning session_epoch as epoch`,
    [id],
  );
  return row?.epoch ?? null;
};

/** Begins the next access epoch of an operator, and the next session epoch, which ends all its sessions. */
export const incrementAccessEpoch = async (tx: AccountTx, id: OperatorId): Promise<void> => {
  await tx.query(
    `update auth.operators set access_epoch = access_epoch + 1, session_epoch = session_epoch + 1
      where id = $1`,
    [id],
  );
};

/** Records when the email of an account was verified; null means that it is not. Returns the account. */
export const updateEmailVerified = async (
  tx: AccountTx,
  { id, at }: { readonly id: OperatorId; readonly at: Date | null },
): Promise<OperatorRow | null> => {
  const [row] = await tx.query<OperatorRow>(
    `update auth.operators set email_verified_at = $2 where id = $1 returning ${operatorColumns}`,
    [id, at],
  );
  return row ?? null;
};

export type OperatorStateRow = Pick<OperatorRow, 'id' | 'emailVerifiedAt' | 'disabledAt'> & {
  readonly canSignIn: boolean;
};

/** Reads the state of several accounts. */
export const listOperatorStates = (
  tx: GlobalTx,
  ids: readonly OperatorId[],
): Promise<OperatorStateRow[]> =>
  tx.query<OperatorStateRow>(
    `select o.id, o.email_verified_at as "emailVerifiedAt", o.disabled_at as "disabledAt",
            (${canSignIn}) as "canSignIn"
       from auth.operators o
      where o.id = any ($1::uuid[])`,
    [[...ids]],
  );

/** Records the last sign-in of an operator. */
export const recordLastSignIn = async (
  tx: GlobalTx,
  { id, at }: { readonly id: OperatorId; readonly at: Date },
): Promise<void> => {
  await tx.query('update auth.operators set last_sign_in_at = $2 where id = $1', [id, at]);
};

/** Deletes an account that an invite created but could not use, with its sessions. */
export const deleteOperator = async (tx: GlobalTx, id: OperatorId): Promise<void> => {
  await tx.query('delete from auth.operators where id = $1', [id]);
};

export type OperatorLookup = {
  readonly operatorId: OperatorId;
  /** Null means no session is required. */
  readonly sessionId: SessionId | null;
  readonly now: Date;
};

export type ActingOperatorRow = {
  readonly isAdmin: boolean;
  readonly accessEpoch: number;
  /** When the operator last proved who they are in the session; null without one. */
  readonly authenticatedAt: Date | null;
};

/**
 * Reads an operator that is not disabled. If a session is given, it must be active as for
 * `findActiveSession`. Null otherwise.
 */
export const findActingOperator = async (
  tx: GlobalTx,
  { operatorId, sessionId, now }: OperatorLookup,
): Promise<ActingOperatorRow | null> => {
  const [row] = await tx.query<ActingOperatorRow>(
    `select o.is_admin as "isAdmin", o.access_epoch as "accessEpoch",
            (select coalesce(s.authenticated_at, s.created_at) from auth.sessions s
              where s.operator_id = o.id and s.id = $2) as "authenticatedAt"
       from auth.operators o
      where o.id = $1
        and o.disabled_at is null
        and ($2::uuid is null or exists (
          select from auth.sessions s
           where s.operator_id = o.id
             and s.id = $2
             and s.expire > $3
             and s.ends_at > $3
             and s.session_epoch = o.session_epoch
        ))`,
    [operatorId, sessionId, now],
  );
  return row ?? null;
};
