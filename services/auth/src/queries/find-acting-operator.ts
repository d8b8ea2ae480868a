import type { OperatorId, SessionId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

export type ActingOperator = {
  readonly operatorId: OperatorId;
  /** Null: whatever it does, it does without one. */
  readonly sessionId: SessionId | null;
  readonly now: Date;
};

/**
 * Reads an operator that is not disabled; null for another. A session that is named with it must be alive in every
 * respect, as for `findLivingSession`.
 */
export const findActingOperator = async (
  tx: GlobalTx,
  { operatorId, sessionId, now }: ActingOperator,
): Promise<{ readonly isAdmin: boolean } | null> => {
  const [row] = await tx.query<{ isAdmin: boolean }>(
    `select o.is_admin as "isAdmin"
       from auth.operators o
      where o.id = $1
        and o.disabled_at is null
        and ($2::uuid is null or exists (
          select from auth.sessions s
           where s.operator_id = o.id
             and s.id = $2
             and s.expire > $3
             and s.ends_at > $3
             and s.session_epoch = o.session_epoch
        ))`,
    [operatorId, sessionId, now],
  );
  return row ?? null;
};
