import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import type { OperatorRow } from './operator-row.ts';

/** Finds an account by its id. */
export const findOperator = async (tx: GlobalTx, id: OperatorId): Promise<OperatorRow | null> => {
  const [row] = await tx.query<OperatorRow>('select * from auth.operators where id = $1', [id]);
  return row ?? null;
};
