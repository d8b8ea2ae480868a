import type { OperatorId } from '@commonplace/contracts/core';
import type { OperatorRow } from './operators.ts';
import type { AccountTx } from './tx.ts';
import type { GlobalTx } from '@commonplace/db';

export type NewPassword = {
  readonly id: OperatorId;
  readonly passwordHash: string;
  readonly pepperId: string;
  /** What the former password was verified against; null: whatever it is now, by the server's shell. */
  readonly verified: { readonly passwordHash: string; readonly epoch: number } | null;
};

/**
 * Sets another password and, in the same row, another epoch: with one write every session is dead,
 * those included that a sign-in with the old password is just about to insert. Null: the password that was
 * verified is not the password any more. Either sign is enough that it is: the same password hashed anew
 * keeps the epoch, and ending all other sessions keeps the hash.
 */
export const updatePassword = async (
  tx: AccountTx,
  { id, passwordHash, pepperId, verified }: NewPassword,
): Promise<OperatorRow | null> => {
  const [row] = await tx.query<OperatorRow>(
    `update auth.operators
        set password_hash = $2, pepper_id = $3, session_epoch = session_epoch + 1
      where id = $1
        and ($4::text is null or password_hash = $4 or session_epoch = $5)
      returning *`,
    [id, passwordHash, pepperId, verified?.passwordHash ?? null, verified?.epoch ?? null],
  );
  return row ?? null;
};

export type Rehash = {
  readonly id: OperatorId;
  readonly formerHash: string;
  readonly passwordHash: string;
  readonly pepperId: string;
};

/** Stores the same password under the current pepper and cost, unless it was changed in between. */
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

/** Lists the e-mails whose password is hashed with another pepper than this one, disabled ones included. */
export const listOutdatedPepperEmails = async (
  tx: GlobalTx,
  currentPepperId: string,
): Promise<string[]> => {
  const rows = await tx.query<{ email: string }>(
    'select email from auth.operators where pepper_id <> $1 order by email',
    [currentPepperId],
  );
  return rows.map(({ email }) => email);
};
