import type { OperatorId, SessionId } from '@commonplace/contracts/core';
import { withGlobal } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { deleteOtherSessions } from '../queries/delete-other-sessions.ts';
import { moveSessionToEpoch } from '../queries/move-session-to-epoch.ts';
import { raiseSessionEpoch } from '../queries/raise-session-epoch.ts';

/**
 * Ends all sessions of an operator but one. The new epoch is what counts: it also kills a session
 * that somebody is just beginning and that no DELETE can see yet.
 */
export const endOtherSessions = (
  { db }: Pick<Deps, 'db'>,
  { operatorId, keptId }: { readonly operatorId: OperatorId; readonly keptId: SessionId },
): Promise<void> =>
  withGlobal(db, async (tx) => {
    const epoch = await raiseSessionEpoch(tx, operatorId);
    if (epoch !== null) {
      await moveSessionToEpoch(tx, { id: keptId, epoch });
      await deleteOtherSessions(tx, { operatorId, keptId });
    }
  });
