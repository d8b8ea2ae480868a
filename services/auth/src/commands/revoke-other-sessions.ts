import type { OperatorId, SessionId } from '@commonplace/contracts/core';
import type { Deps } from '../deps.ts';
import { deleteOtherSessions } from '../queries/session-deletions.ts';
import { moveSessionToEpoch } from '../queries/sessions.ts';
import { incrementSessionEpoch } from '../queries/operators.ts';
import type { AccountTx } from '../queries/tx.ts';
import { asOperator, type ActingOperator } from './as-operator.ts';

/** Ends all sessions of an operator but one. */
export const revokeOtherSessions = (
  deps: Pick<Deps, 'db' | 'clock' | 'sessions'>,
  acting: Omit<ActingOperator, 'as'>,
  keptId: SessionId,
): Promise<void> =>
  asOperator(deps, { ...acting, as: 'self' }, (tx) =>
    endOtherSessions(tx, { operatorId: acting.caller.operatorId, keptId }),
  );

/**
 * The same in the transaction of another change. The new epoch also invalidates sessions that are
 * being created concurrently and that no DELETE can see yet.
 */
export const endOtherSessions = async (
  tx: AccountTx,
  { operatorId, keptId }: { readonly operatorId: OperatorId; readonly keptId: SessionId },
): Promise<void> => {
  const epoch = await incrementSessionEpoch(tx, operatorId);
  if (epoch !== null) {
    await moveSessionToEpoch(tx, { id: keptId, epoch });
    await deleteOtherSessions(tx, { operatorId, keptId });
  }
};
