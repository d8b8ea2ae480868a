import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

/** Makes others who change the sessions of this operator wait for the end of the transaction. */
export const lockOperator = async (tx: GlobalTx, id: OperatorId): Promise<void> => {
  await tx.query('select from auth.operators where id = $1 for no key update', [id]);
};
