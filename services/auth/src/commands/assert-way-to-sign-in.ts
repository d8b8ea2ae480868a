import { AppError, type OperatorId } from '@commonplace/contracts/core';
import type { Deps } from '../deps.ts';
import { listIdentities } from '../queries/identities.ts';
import { findOperator } from '../queries/operators.ts';
import { listPasskeys } from '../queries/passkeys.ts';
import type { AccountTx } from '../queries/tx.ts';

/**
 * Throws 409 `last_sign_in_method` if an account has no way to sign in on this instance as it is configured: a
 * password, an identity of the provider, or a passkey. Call it after a removal and under the lock on the operator, so that two
 * requests cannot remove the last two.
 */
export const assertWayToSignIn = async (
  tx: AccountTx,
  { isLocalLogin, oidc, passkeySite }: Pick<Deps, 'isLocalLogin' | 'oidc' | 'passkeySite'>,
  operatorId: OperatorId,
): Promise<void> => {
  const operator = await findOperator(tx, operatorId);
  if (isLocalLogin && operator?.hasPassword === true) {
    return;
  }
  if (passkeySite && (await listPasskeys(tx, operatorId)).length > 0) {
    return;
  }
  const identities = await listIdentities(tx, operatorId);
  if (!identities.some(({ issuer }) => issuer === oidc?.provider.issuer)) {
    throw new AppError('last_sign_in_method');
  }
};
