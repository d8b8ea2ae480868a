import type { OperatorId, SessionId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

/**
 * Ends a session of an operator; returns false if it does not exist. The id may be one that the session had before it
 * was renewed, which keeps the first 13 characters (`renewedSessionId`). Lock the operator first: a renewal must not commit
 * while this statement waits, because it would be found by neither id.
 */
export const deleteSession = async (
  tx: GlobalTx,
  { operatorId, id }: { readonly operatorId: OperatorId; readonly id: SessionId },
): Promise<boolean> => {
  const rows = await tx.query(
    `delete from auth.sessions
      where operator_id = $1
        and (id = $2::uuid
             or left(id::text, 13) = left($2::uuid::text, 13)
                and not exists (select from auth.sessions where id = $2::uuid))
      returning 1`,
    [operatorId, id],
  );
  return rows.length > 0;
};

/** Ends the sessions of an operator except one; null means all. Returns how many ended. */
export const deleteOtherSessions = async (
  tx: GlobalTx,
  { operatorId, keptId }: { readonly operatorId: OperatorId; readonly keptId: SessionId | null },
): Promise<number> => {
  const rows = await tx.query(
    'delete from auth.sessions where operator_id = $1 and ($2::uuid is null or id <> $2) returning 1',
    [operatorId, keptId],
  );
  return rows.length;
};

/** Ends the sessions that a passkey started or confirmed, except one. */
export const deleteSessionsOfPasskey = async (
  tx: GlobalTx,
  {
    operatorId,
    passkeyId,
    keptId,
  }: {
    readonly operatorId: OperatorId;
    readonly passkeyId: string;
    readonly keptId: SessionId | null;
  },
): Promise<void> => {
  await tx.query(
    `delete from auth.sessions
      where operator_id = $1
        and (passkey_id = $2 or $2 = any (former_passkey_ids))
        and ($3::uuid is null or id <> $3)`,
    [operatorId, passkeyId, keptId],
  );
};

/** Ends all but the newest sessions of an operator. Call it under `lockOperator`. */
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

/** Deletes expired sessions. */
export const deleteExpiredSessions = async (tx: GlobalTx, now: Date): Promise<void> => {
  await tx.query('delete from auth.sessions where expire <= $1', [now]);
};
