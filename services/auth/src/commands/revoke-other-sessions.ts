import type { SessionId } from '@commonplace/contracts/core';
import type { Deps } from '../deps.ts';
import { deleteOtherSessions } from '../queries/session-deletions.ts';
import { moveSessionToEpoch } from '../queries/sessions.ts';
import { incrementSessionEpoch } from '../queries/operators.ts';
import { asOperator, type ActingOperator } from './as-operator.ts';

/**
 * Ends all sessions of an operator but one. The new epoch also invalidates sessions that are being
 * created concurrently and that no DELETE can see yet.
 */
export const revokeOtherSessions = (
  deps: Pick<Deps, 'db' | 'clock' | 'sessions'>,
  acting: Omit<ActingOperator, 'as'>,
  keptId: SessionId,
): Promise<void> =>
  asOperator(deps, { ...acting, as: 'self' }, async (tx) => {
    const { operatorId } = acting.caller;
    const epoch = await incrementSessionEpoch(tx, operatorId);
    if (epoch !== null) {
      await moveSessionToEpoch(tx, { id: keptId, epoch });
      await deleteOtherSessions(tx, { operatorId, keptId });
    }
  });
