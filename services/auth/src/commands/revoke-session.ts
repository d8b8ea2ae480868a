import { AppError, type SessionId } from '@commonplace/contracts/core';
import type { Deps } from '../deps.ts';
import { deleteSession } from '../queries/session-deletions.ts';
import { asOperator, type ActingOperator } from './as-operator.ts';
import { recordRevokedSessions } from './record-activity.ts';

/** Ends a session of the operator itself. 404 if there is none of this id. */
export const revokeSession = (
  deps: Pick<Deps, 'db' | 'clock'>,
  { caller }: Omit<ActingOperator, 'as'>,
  id: SessionId,
): Promise<void> =>
  asOperator(deps, { caller, as: 'self' }, async (tx) => {
    if (!(await deleteSession(tx, { operatorId: caller.operatorId, id }))) {
      throw new AppError('not_found', 'You have no such session.');
    }
    await recordRevokedSessions(tx, caller, { at: deps.clock(), sessions: 1 });
  });
