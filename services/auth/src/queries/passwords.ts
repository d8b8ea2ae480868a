import type { OperatorId } from '@commonplace/contracts/core';
import { operatorColumns, type OperatorRow } from './operators.ts';
import type { AccountTx } from './tx.ts';
import type { GlobalTx } from '@commonplace/db';

export type NewPassword = {
  readonly id: OperatorId;
  readonly passwordHash: string;
  readonly pepperId: string;
  /** The state against which the old password was verified; null means replace it in any case. */
  readonly verified: { readonly passwordHash: string; readonly epoch: number } | null;
};

/**
 * Writes a new password and increments the epoch in one row, which ends all sessions, including
 * those that a sign-in with the old password is creating. Returns null if the verified password is
 * no longer current. Either hash or epoch may still match: a new hash of the same password keeps
 * the epoch, and revoking other sessions keeps the hash.
 */
export const updatePassword = async (
  tx: AccountTx,
  { id, passwordHash, pepperId, verified }: NewPassword,
): Promise<OperatorRow | null> => {
  const [row] = await tx.query<OperatorRow>(
    `update auth.operators
        set password_hash = $2, pepper_id = $3, has_password = true, session_epoch = session_epoch + 1
      where id = $1
        and ($4::text is null or password_hash = $4 or session_epoch = $5)
      returning ${operatorColumns}`,
    [id, passwordHash, pepperId, verified?.passwordHash ?? null, verified?.epoch ?? null],
  );
  return row ?? null;
};

/** Replaces a password by one that nobody knows. */
export const clearPassword = async (
  tx: AccountTx,
  { id, passwordHash, pepperId }: Omit<NewPassword, 'verified'>,
): Promise<void> => {
  await tx.query(
    `update auth.operators set password_hash = $2, pepper_id = $3, has_password = false
      where id = $1`,
    [id, passwordHash, pepperId],
  );
};

export type Rehash = {
  readonly id: OperatorId;
  readonly formerHash: string;
  readonly passwordHash: string;
  readonly pepperId: string;
};

/** Writes a new hash of the same password, unless the password changed. */
export const replacePasswordHash = async (
  tx: GlobalTx,
  { id, formerHash, passwordHash, pepperId }: Rehash,
): Promise<void> => {
  await tx.query(
    `update auth.operators set password_hash = $3, pepper_id = $4
      where id = $1 and password_hash = $2`,
    [id, formerHash, passwordHash, pepperId],
  );
};

/** Lists the emails of accounts with another pepper than this one, disabled ones included. */
export const listOutdatedPepperEmails = async (
  tx: GlobalTx,
  currentPepperId: string,
): Promise<string[]> => {
  const rows = await tx.query<{ email: string }>(
    'select email from auth.operators where pepper_id <> $1 and has_password order by email',
    [currentPepperId],
  );
  return rows.map(({ email }) => email);
};
