import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import type { OperatorRow } from './operator-row.ts';

export type NewPassword = {
  readonly id: OperatorId;
  readonly passwordHash: string;
  readonly pepperId: string;
};

/**
 * Sets another password and, in the same row, another epoch: with one write every session is dead,
 * those included that a sign-in with the old password is just about to insert.
 */
export const updatePassword = async (
  tx: GlobalTx,
  { id, passwordHash, pepperId }: NewPassword,
): Promise<OperatorRow | null> => {
  const [row] = await tx.query<OperatorRow>(
    `update auth.operators
        set password_hash = $2, pepper_id = $3, session_epoch = session_epoch + 1
      where id = $1
      returning *`,
    [id, passwordHash, pepperId],
  );
  return row ?? null;
};
