import type { OperatorId, SessionId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

/** Ends the sessions of an operator, all but one; null: all. */
export const deleteOtherSessions = async (
  tx: GlobalTx,
  { operatorId, keptId }: { readonly operatorId: OperatorId; readonly keptId: SessionId | null },
): Promise<void> => {
  await tx.query(
    'delete from auth.sessions where operator_id = $1 and ($2::uuid is null or id <> $2)',
    [operatorId, keptId],
  );
};
