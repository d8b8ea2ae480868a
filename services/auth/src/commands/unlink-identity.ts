import { AppError } from '@commonplace/contracts/core';
import type { Deps } from '../deps.ts';
import { deleteIdentity, deleteSessionsOfIdentity, listIdentities } from '../queries/identities.ts';
import { forgetIdentityOfSession } from '../queries/sessions.ts';
import { asOperator, type ActingOperator } from './as-operator.ts';
import { assertWayToSignIn } from './assert-way-to-sign-in.ts';
import { ownActivity, recordActivity } from './record-activity.ts';
import { assertRecentSignIn } from './require-recent-sign-in.ts';

/**
 * Unlinks an identity of the caller and ends the sessions it began, except the caller's, which goes on as one
 * without a second factor. 409 `last_sign_in_method`.
 */
export const unlinkIdentity = (
  deps: Pick<Deps, 'db' | 'clock' | 'isLocalLogin' | 'oidc' | 'passkeySite'>,
  acting: Omit<ActingOperator, 'as'>,
  id: string,
): Promise<void> =>
  asOperator(deps, { ...acting, as: 'self' }, async (tx) => {
    const { operatorId, sessionId: keptId } = acting.caller;
    const at = deps.clock();
    await assertRecentSignIn(tx, acting.caller, at);
    const own = await listIdentities(tx, operatorId);
    const unlinked = own.find((row) => row.id === id);
    if (!unlinked) {
      throw new AppError('not_found', 'You have no such identity.');
    }
    await deleteSessionsOfIdentity(tx, { id, operatorId, keptId });
    await forgetIdentityOfSession(tx, { operatorId, identityId: id });
    await deleteIdentity(tx, { id, operatorId });
    await assertWayToSignIn(tx, deps, operatorId);
    const { issuer, subject } = unlinked;
    const removed = { action: 'identity.unlinked', at, detail: { issuer, subject } } as const;
    await recordActivity(tx, ownActivity(acting.caller, removed));
  });
