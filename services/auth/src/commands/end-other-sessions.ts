import type { SessionId } from '@commonplace/contracts/core';
import type { Deps } from '../deps.ts';
import { deleteOtherSessions } from '../queries/delete-other-sessions.ts';
import { moveSessionToEpoch } from '../queries/move-session-to-epoch.ts';
import { raiseSessionEpoch } from '../queries/raise-session-epoch.ts';
import { asOperator, type Acting } from './as-operator.ts';

/**
 * Ends all sessions of an operator but one. The new epoch is what counts: it also kills a session
 * that somebody is just beginning and that no DELETE can see yet.
 */
export const endOtherSessions = (
  deps: Pick<Deps, 'db' | 'clock' | 'sessions'>,
  acting: Omit<Acting, 'as'>,
  keptId: SessionId,
): Promise<void> =>
  asOperator(deps, { ...acting, as: 'oneself' }, async (tx) => {
    const { operatorId } = acting.caller;
    const epoch = await raiseSessionEpoch(tx, operatorId);
    if (epoch !== null) {
      await moveSessionToEpoch(tx, { id: keptId, epoch });
      await deleteOtherSessions(tx, { operatorId, keptId });
    }
  });
