import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

/** Ends an operator's sessions beyond the newest so many. Call it behind `lockOperator`. */
export const deleteOldestSessions = async (
  tx: GlobalTx,
  { operatorId, keep }: { readonly operatorId: OperatorId; readonly keep: number },
): Promise<void> => {
  await tx.query(
    `delete from auth.sessions
      where operator_id = $1
        and id in (select id from auth.sessions where operator_id = $1 order by id desc offset $2)`,
    [operatorId, keep],
  );
};
