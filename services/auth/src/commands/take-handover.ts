import { AppError, newId } from '@commonplace/contracts/core';
import { write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import type { ProvenIdentity } from '../oidc/read-claims.ts';
import { assertStrongPassword } from '../policy/assert-strong-password.ts';
import { oneTimeTokenDigest } from '../policy/one-time-token.ts';
import { takeHandover } from '../queries/handovers.ts';
import { insertIdentity } from '../queries/identities.ts';
import { lockOperator, updateEmailVerified, type OperatorRow } from '../queries/operators.ts';
import { updatePassword } from '../queries/passwords.ts';
import { trustAccountChange } from './as-operator.ts';
import type { LinkedOperator } from './create-linked-operator.ts';
import { findHandoverAccount } from './describe-handover.ts';
import { recordActivity } from './record-activity.ts';

type TakeDeps = Pick<Deps, 'db' | 'clock' | 'passwords'>;

/**
 * Gives an account to who has the token of its handover: sets its password. The token is checked before the
 * password is hashed, and again in the transaction. 401 `invalid_one_time_token`.
 */
export const takeHandoverByToken = async (
  deps: TakeDeps,
  {
    token,
    password,
    address,
  }: { readonly token: string; readonly password: string; readonly address: string },
): Promise<OperatorRow> => {
  const tokenDigest = oneTimeTokenDigest(token);
  const found = await findHandoverAccount(deps, tokenDigest);
  if (!found) {
    return invalid();
  }
  assertStrongPassword(password, found.email);
  const { id: operatorId, email } = found;
  const { hash: passwordHash, pepperId } = await deps.passwords.hash(password, {
    account: email,
    address,
  });
  return write(deps.db, 'global', async (scope) => {
    const tx = trustAccountChange(scope, 'the token of the handover is used up here');
    const now = deps.clock();
    const operator = await lockOperator(tx, operatorId);
    const isTaken =
      operator?.disabledAt === null && (await takeHandover(tx, { operatorId, tokenDigest, now }));
    if (!isTaken) {
      return invalid();
    }
    await updatePassword(tx, { id: operatorId, passwordHash, pepperId, verified: null });
    const taken = await updateEmailVerified(tx, { id: operatorId, at: now });
    await recordActivity(tx, {
      actor: { kind: 'operator', id: operatorId, email },
      action: 'handover.taken',
      operator: { id: operatorId, email },
      at: now,
      detail: { by: 'link' },
    });
    return taken ?? invalid();
  });
};

/**
 * Gives an account whose handover has begun to the verified email of a provider, and links the identity. Null without
 * a handover: an email alone takes nothing.
 */
export const takeHandoverByIdentity = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { issuer, subject, email }: ProvenIdentity,
  operatorId: OperatorRow['id'],
): Promise<LinkedOperator | null> =>
  write(db, 'global', async (scope) => {
    const tx = trustAccountChange(scope, 'an administrator handed the account to this email');
    const now = clock();
    const operator = await lockOperator(tx, operatorId);
    if (!operator || operator.disabledAt !== null || operator.email !== email) {
      return null;
    }
    if (!(await takeHandover(tx, { operatorId, tokenDigest: null, now }))) {
      return null;
    }
    const row = { id: newId(), operatorId, issuer, subject, email, createdAt: now };
    const identity = await insertIdentity(tx, row);
    const taken = await updateEmailVerified(tx, { id: operatorId, at: now });
    if (!identity || !taken) {
      // A concurrent sign-in linked it; the next one finds it.
      throw new AppError('busy');
    }
    await recordActivity(tx, {
      actor: { kind: 'operator', id: operatorId, email },
      action: 'handover.taken',
      operator: { id: operatorId, email },
      at: now,
      detail: { by: 'single sign-on', issuer, subject },
    });
    return { operator: taken, identity };
  });

const invalid = (): never => {
  throw new AppError('invalid_one_time_token');
};
