import type { OperatorId, SessionId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

/** Ends one session of an operator; false when it has no such session, dead or alive. */
export const deleteSession = async (
  tx: GlobalTx,
  { operatorId, id }: { readonly operatorId: OperatorId; readonly id: SessionId },
): Promise<boolean> => {
  const rows = await tx.query(
    'delete from auth.sessions where operator_id = $1 and id = $2 returning 1',
    [operatorId, id],
  );
  return rows.length > 0;
};
