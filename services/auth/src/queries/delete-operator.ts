import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

/** Takes back an account that an invite created and then could not be used for; its sessions go too. */
export const deleteOperator = async (tx: GlobalTx, id: OperatorId): Promise<void> => {
  await tx.query('delete from auth.operators where id = $1', [id]);
};
