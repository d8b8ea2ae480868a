import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

/** Records the first operator; the setup token has done its work. Call it behind `lockInstance`. */
export const updateFirstOperator = async (tx: GlobalTx, id: OperatorId): Promise<void> => {
  await tx.query('update auth.instance set first_operator_id = $1, setup_token_digest = null', [
    id,
  ]);
};
