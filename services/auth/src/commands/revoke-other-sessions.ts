import type { OperatorId, SessionId } from '@commonplace/contracts/core';
import type { Deps } from '../deps.ts';
import { deleteOtherSessions } from '../queries/session-deletions.ts';
import { moveSessionToEpoch } from '../queries/sessions.ts';
import { incrementSessionEpoch } from '../queries/operators.ts';
import type { AccountTx } from '../queries/tx.ts';
import { asOperator, type ActingOperator } from './as-operator.ts';
import { recordRevokedSessions } from './record-activity.ts';

/** Ends all sessions of an operator but one. */
export const revokeOtherSessions = (
  deps: Pick<Deps, 'db' | 'clock'>,
  acting: Omit<ActingOperator, 'as'>,
  keptId: SessionId,
): Promise<void> =>
  asOperator(deps, { ...acting, as: 'self' }, async (tx) => {
    const { caller } = acting;
    const sessions = await endOtherSessions(tx, { operatorId: caller.operatorId, keptId });
    if (sessions > 0) {
      await recordRevokedSessions(tx, caller, { at: deps.clock(), sessions });
    }
  });

/**
 * The same in the transaction of another change. The new epoch also invalidates sessions that are
 * being created concurrently and that no DELETE can see yet. Returns how many ended.
 */
export const endOtherSessions = async (
  tx: AccountTx,
  { operatorId, keptId }: { readonly operatorId: OperatorId; readonly keptId: SessionId },
): Promise<number> => {
  const epoch = await incrementSessionEpoch(tx, operatorId);
  if (epoch !== null) {
    await moveSessionToEpoch(tx, { id: keptId, epoch });
    return deleteOtherSessions(tx, { operatorId, keptId });
  }
  return 0;
};
