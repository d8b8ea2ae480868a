import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

/** Notes when an operator last signed in. */
export const recordLastSignIn = async (
  tx: GlobalTx,
  { id, at }: { readonly id: OperatorId; readonly at: Date },
): Promise<void> => {
  await tx.query('update auth.operators set last_sign_in_at = $2 where id = $1', [id, at]);
};
