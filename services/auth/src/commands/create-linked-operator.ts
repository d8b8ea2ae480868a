import { randomBytes } from 'node:crypto';
import { AppError, newId, operatorId } from '@commonplace/contracts/core';
import { write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import type { ProvenIdentity } from '../oidc/read-claims.ts';
import { insertIdentity, type IdentityRow } from '../queries/identities.ts';
import { insertOperator, type OperatorRow } from '../queries/operators.ts';
import { trustAccountChange } from './as-operator.ts';
import { recordActivity } from './record-activity.ts';

export type LinkedOperator = { readonly operator: OperatorRow; readonly identity: IdentityRow };

/**
 * Creates an account for a verified email, with the identity that proved it and a password that
 * nobody knows. 409 `oidc_account_exists` if the email has an account: it is never taken over.
 */
export const createLinkedOperator = async (
  deps: Pick<Deps, 'db' | 'clock' | 'passwords'>,
  proven: ProvenIdentity & { readonly email: string },
): Promise<LinkedOperator> => {
  const { hash, pepperId } = await deps.passwords.hash(randomBytes(32).toString('base64url'));
  const { email, issuer, subject } = proven;
  return write(deps.db, 'global', async (scope) => {
    const tx = trustAccountChange(scope, 'the provider confirmed the email of a new account');
    const at = deps.clock();
    const operator = await insertOperator(tx, {
      id: operatorId.parse(newId()),
      email,
      name: proven.name ?? email.split('@')[0] ?? email,
      passwordHash: hash,
      pepperId,
      hasPassword: false,
      isAdmin: false,
      isEmailVerified: true,
      at,
    });
    if (!operator) {
      throw new AppError('oidc_account_exists');
    }
    const row = { id: newId(), operatorId: operator.id, issuer, subject, email, createdAt: at };
    const identity = await insertIdentity(tx, row);
    if (!identity) {
      // A concurrent sign-in linked it; the next one finds it.
      throw new AppError('busy');
    }
    await recordActivity(tx, {
      actor: { kind: 'operator', id: operator.id, email },
      action: 'operator.created',
      operator,
      at,
      detail: { by: 'single sign-on', issuer, subject },
    });
    return { operator, identity };
  });
};
