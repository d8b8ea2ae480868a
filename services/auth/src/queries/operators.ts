import type { OperatorId, SessionId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import type { AccountTx } from './tx.ts';

/** A row of `auth.operators`. */
export type OperatorRow = {
  readonly id: OperatorId;
  readonly email: string;
  readonly name: string;
  readonly password_hash: string;
  readonly pepper_id: string;
  readonly is_admin: boolean;
  readonly disabled_at: Date | null;
  readonly session_epoch: number;
  readonly created_at: Date;
  readonly last_sign_in_at: Date | null;
};

/** Finds an account by its id. */
export const findOperator = async (tx: GlobalTx, id: OperatorId): Promise<OperatorRow | null> => {
  const [row] = await tx.query<OperatorRow>('select * from auth.operators where id = $1', [id]);
  return row ?? null;
};

/** Finds an account by its e-mail, which is in lower case everywhere. */
export const findOperatorByEmail = async (
  tx: GlobalTx,
  email: string,
): Promise<OperatorRow | null> => {
  const [row] = await tx.query<OperatorRow>('select * from auth.operators where email = $1', [
    email,
  ]);
  return row ?? null;
};

/** Reads an account; others who change it or begin sessions of it wait for the end of the transaction. */
export const lockOperator = async (tx: GlobalTx, id: OperatorId): Promise<OperatorRow | null> => {
  const [row] = await tx.query<OperatorRow>(
    'select * from auth.operators where id = $1 for no key update',
    [id],
  );
  return row ?? null;
};

/** Lists accounts by e-mail, from behind one on. */
export const listOperators = (
  tx: GlobalTx,
  { afterEmail, limit }: { readonly afterEmail: string | null; readonly limit: number },
): Promise<OperatorRow[]> =>
  tx.query<OperatorRow>(
    `select * from auth.operators
      where $1::text is null or email > $1
      order by email
      limit $2`,
    [afterEmail, limit],
  );

/** Counts the administrators besides this one who can sign in. Ask it behind the lock of the instance. */
export const countOtherAdministrators = async (tx: GlobalTx, id: OperatorId): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from auth.operators
      where is_admin and disabled_at is null and id <> $1`,
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
  readonly isAdmin: boolean;
  readonly at: Date;
};

/** Creates an account; null when the e-mail has one already. */
export const insertOperator = async (
  tx: GlobalTx,
  operator: NewOperator,
): Promise<OperatorRow | null> => {
  const { id, email, name, passwordHash, pepperId, isAdmin, at } = operator;
  const [row] = await tx.query<OperatorRow>(
    `insert into auth.operators (id, email, name, password_hash, pepper_id, is_admin, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (email) do nothing
     returning *`,
    [id, email, name, passwordHash, pepperId, isAdmin, at],
  );
  return row ?? null;
};

export type OperatorState = {
  readonly id: OperatorId;
  readonly isAdmin: boolean;
  readonly disabledAt: Date | null;
  /** Ends every session there is, and every one that is just being begun. */
  readonly isNewEpoch: boolean;
};

/** Writes what administrators decide about an account. */
export const updateOperatorState = async (
  tx: AccountTx,
  { id, isAdmin, disabledAt, isNewEpoch }: OperatorState,
): Promise<OperatorRow | null> => {
  const [row] = await tx.query<OperatorRow>(
    `update auth.operators
        set is_admin = $2, disabled_at = $3, session_epoch = session_epoch + $4::int
      where id = $1
      returning *`,
    [id, isAdmin, disabledAt, isNewEpoch ? 1 : 0],
  );
  return row ?? null;
};

/** Begins another epoch of an operator's sessions: all of the former are dead. Null: no such operator. */
export const incrementSessionEpoch = async (
  tx: AccountTx,
  id: OperatorId,
): Promise<number | null> => {
  const [row] = await tx.query<{ session_epoch: number }>(
    `update auth.operators set session_epoch = session_epoch + 1
      where id = $1
      returning session_epoch`,
    [id],
  );
  return row?.session_epoch ?? null;
};

/** Notes when an operator last signed in. */
export const recordLastSignIn = async (
  tx: GlobalTx,
  { id, at }: { readonly id: OperatorId; readonly at: Date },
): Promise<void> => {
  await tx.query('update auth.operators set last_sign_in_at = $2 where id = $1', [id, at]);
};

/** Takes back an account that an invite created and then could not be used for; its sessions go too. */
export const deleteOperator = async (tx: GlobalTx, id: OperatorId): Promise<void> => {
  await tx.query('delete from auth.operators where id = $1', [id]);
};

export type OperatorLookup = {
  readonly operatorId: OperatorId;
  /** Null: whatever it does, it does without one. */
  readonly sessionId: SessionId | null;
  readonly now: Date;
};

/**
 * Reads an operator that is not disabled; null for another. A session that is named with it must be alive in every
 * respect, as for `findActiveSession`.
 */
export const findActingOperator = async (
  tx: GlobalTx,
  { operatorId, sessionId, now }: OperatorLookup,
): Promise<{ readonly isAdmin: boolean } | null> => {
  const [row] = await tx.query<{ isAdmin: boolean }>(
    `select o.is_admin as "isAdmin"
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
