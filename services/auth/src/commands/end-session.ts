import { write, type Db } from '@commonplace/db';
import type { OperatorId, SessionId } from '@commonplace/contracts/core';
import { lockOperator } from '../queries/operators.ts';
import { deleteSession } from '../queries/session-deletions.ts';

/** Ends a session of an operator, if it has not ended, also one that is being renewed. */
export const endSession = (
  db: Db,
  session: { readonly operatorId: OperatorId; readonly id: SessionId },
): Promise<boolean> =>
  write(db, 'global', async (tx) => {
    await lockOperator(tx, session.operatorId);
    return deleteSession(tx, session);
  });
