import { AppError } from '@commonplace/contracts/core';
import type { Deps } from '../deps.ts';
import { deleteIdentity, deleteSessionsOfIdentity, listIdentities } from '../queries/identities.ts';
import { findOperator } from '../queries/operators.ts';
import { listPasskeys } from '../queries/passkeys.ts';
import { asOperator, type ActingOperator } from './as-operator.ts';
import { assertRecentSignIn } from './require-recent-sign-in.ts';

/**
 * Unlinks an identity of the caller and ends the sessions it began, except the caller's. The lock on
 * the operator keeps two requests from removing the last two ways to sign in.
 */
export const unlinkIdentity = (
  deps: Pick<Deps, 'db' | 'clock' | 'sessions' | 'isLocalLogin'>,
  acting: Omit<ActingOperator, 'as'>,
  id: string,
): Promise<void> =>
  asOperator(deps, { ...acting, as: 'self' }, async (tx) => {
    const { operatorId, sessionId: keptId } = acting.caller;
    await assertRecentSignIn(tx, acting.caller, deps.clock());
    const own = await listIdentities(tx, operatorId);
    if (!own.some((row) => row.id === id)) {
      throw new AppError('not_found', 'You have no such identity.');
    }
    const operator = await findOperator(tx, operatorId);
    const hasPassword = deps.isLocalLogin && operator?.has_password === true;
    const passkeys = await listPasskeys(tx, operatorId);
    if (own.length === 1 && !hasPassword && passkeys.length === 0) {
      throw new AppError('last_sign_in_method');
    }
    await deleteSessionsOfIdentity(tx, { id, operatorId, keptId });
    await deleteIdentity(tx, { id, operatorId });
  });
