import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import type { OperatorRow } from './operator-row.ts';

/** Reads an account; others who change it or begin sessions of it wait for the end of the transaction. */
export const lockOperator = async (tx: GlobalTx, id: OperatorId): Promise<OperatorRow | null> => {
  const [row] = await tx.query<OperatorRow>(
    'select * from auth.operators where id = $1 for no key update',
    [id],
  );
  return row ?? null;
};
