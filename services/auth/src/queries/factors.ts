import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import type { AccountTx } from './tx.ts';

/** A row of `auth.totp_factors`. */
export type TotpRow = {
  readonly operatorId: OperatorId;
  readonly sealedSecret: string;
  readonly keyId: string;
  /** Null means begun, and not needed at sign-in. */
  readonly confirmedAt: Date | null;
};

const totpColumns = `
  operator_id as "operatorId", sealed_secret as "sealedSecret", key_id as "keyId", confirmed_at as "confirmedAt"`;

/** Reads the authenticator app of an operator. */
export const findTotp = async (tx: GlobalTx, operatorId: OperatorId): Promise<TotpRow | null> => {
  const [row] = await tx.query<TotpRow>(
    `select ${totpColumns} from auth.totp_factors where operator_id = $1`,
    [operatorId],
  );
  return row ?? null;
};

export type NewTotpRow = {
  readonly operatorId: OperatorId;
  readonly sealed: string;
  readonly keyId: string;
  readonly at: Date;
};

/** Writes an unconfirmed secret; returns false if there is a confirmed one. */
export const replaceUnconfirmedTotp = async (
  tx: AccountTx,
  { operatorId, sealed, keyId, at }: NewTotpRow,
): Promise<boolean> => {
  const rows = await tx.query(
    `insert into auth.totp_factors as f (operator_id, sealed_secret, key_id, created_at)
     values ($1, $2, $3, $4)
     on conflict (operator_id) do update
       set sealed_secret = $2, key_id = $3, created_at = $4, last_step = null
     where f.confirmed_at is null
     returning 1`,
    [operatorId, sealed, keyId, at],
  );
  return rows.length > 0;
};

/** Confirms a secret with the step of its first code, unless it was replaced or confirmed since. */
export const confirmTotpRow = async (
  tx: AccountTx,
  totp: {
    readonly operatorId: OperatorId;
    readonly sealed: string;
    readonly step: number;
    readonly at: Date;
  },
): Promise<boolean> => {
  const rows = await tx.query(
    `update auth.totp_factors set confirmed_at = $4, last_step = $3
      where operator_id = $1 and sealed_secret = $2 and confirmed_at is null
      returning 1`,
    [totp.operatorId, totp.sealed, totp.step, totp.at],
  );
  return rows.length > 0;
};

/**
 * Uses the code of a time step. Returns false if that step, or a later one, was used: check and update
 * are one statement, so a code works once even if it is sent twice at the same time.
 */
export const useStep = async (
  tx: GlobalTx,
  { operatorId, step }: { readonly operatorId: OperatorId; readonly step: number },
): Promise<boolean> => {
  const rows = await tx.query(
    `update auth.totp_factors set last_step = $2
      where operator_id = $1 and confirmed_at is not null
        and (last_step is null or last_step < $2)
      returning 1`,
    [operatorId, step],
  );
  return rows.length > 0;
};

/** Deletes the authenticator app of an operator with its recovery codes; returns whether one was confirmed. */
export const deleteTotpRow = async (tx: AccountTx, operatorId: OperatorId): Promise<boolean> => {
  const [row] = await tx.query<Pick<TotpRow, 'confirmedAt'>>(
    'delete from auth.totp_factors where operator_id = $1 returning confirmed_at as "confirmedAt"',
    [operatorId],
  );
  return row !== undefined && row.confirmedAt !== null;
};

/** Inserts the digests of recovery codes. */
export const insertRecoveryCodes = async (
  tx: AccountTx,
  { operatorId, digests }: { readonly operatorId: OperatorId; readonly digests: readonly string[] },
): Promise<void> => {
  await tx.query(
    `insert into auth.recovery_codes (operator_id, digest)
     select $1, unnest($2::text[])`,
    [operatorId, digests],
  );
};

/** Deletes a recovery code; returns false if there is none. It works once, even in a race. */
export const useRecoveryCode = async (
  tx: GlobalTx,
  { operatorId, digest }: { readonly operatorId: OperatorId; readonly digest: string },
): Promise<boolean> => {
  const rows = await tx.query(
    'delete from auth.recovery_codes where operator_id = $1 and digest = $2 returning 1',
    [operatorId, digest],
  );
  return rows.length > 0;
};

/** Counts the unused recovery codes of an operator. */
export const countRecoveryCodes = async (tx: GlobalTx, operatorId: OperatorId): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    'select count(*)::int as count from auth.recovery_codes where operator_id = $1',
    [operatorId],
  );
  return row?.count ?? 0;
};

type OutdatedPage = {
  readonly keyId: string;
  readonly after: OperatorId | null;
  readonly limit: number;
};

/** Lists secrets that another key than this one encrypts, by operator, after one of them. */
export const listOutdatedTotp = (
  tx: GlobalTx,
  { keyId, after, limit }: OutdatedPage,
): Promise<TotpRow[]> =>
  tx.query<TotpRow>(
    `select ${totpColumns} from auth.totp_factors
      where key_id <> $1 and ($2::uuid is null or operator_id > $2)
      order by operator_id
      limit $3`,
    [keyId, after, limit],
  );

/** Counts secrets that another key than this one encrypts. */
export const countOutdatedTotp = async (tx: GlobalTx, keyId: string): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    'select count(*)::int as count from auth.totp_factors where key_id <> $1',
    [keyId],
  );
  return row?.count ?? 0;
};

/** Writes the same secret under another key, unless it was replaced since. */
export const resealTotp = async (
  tx: GlobalTx,
  totp: {
    readonly operatorId: OperatorId;
    readonly former: string;
    readonly sealed: string;
    readonly keyId: string;
  },
): Promise<void> => {
  await tx.query(
    `update auth.totp_factors set sealed_secret = $3, key_id = $4
      where operator_id = $1 and sealed_secret = $2`,
    [totp.operatorId, totp.former, totp.sealed, totp.keyId],
  );
};
