import type { OperatorId } from '@commonplace/contracts/core';
import type { OperatorRow } from './operator-row.ts';
import type { AccountTx } from './tx.ts';

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
