import type { OperatorId, SessionId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

export type OwnSession = {
  readonly id: SessionId;
  readonly operatorId: OperatorId;
  readonly now: Date;
};

/**
 * Tells whether a session is alive in every respect, as `findLivingSession` does, and keeps it from being
 * ended until the transaction is over. Lock the operator first: its epoch must not move.
 */
export const lockLivingSession = async (
  tx: GlobalTx,
  { id, operatorId, now }: OwnSession,
): Promise<boolean> => {
  const rows = await tx.query(
    `select from auth.sessions s
      where s.operator_id = $1
        and s.id = $2
        and s.expire > $3
        and s.ends_at > $3
        and exists (
          select from auth.operators o
           where o.id = $1 and o.disabled_at is null and o.session_epoch = s.session_epoch
        )
        for share of s`,
    [operatorId, id, now],
  );
  return rows.length > 0;
};
