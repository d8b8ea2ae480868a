import { write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import type { ProvenIdentity } from '../oidc/read-claims.ts';
import { lockOperator, updateEmailVerified, type OperatorRow } from '../queries/operators.ts';
import type { AccountTx } from '../queries/tx.ts';
import { trustAccountChange } from './as-operator.ts';
import { recordActivity, systemActor } from './record-activity.ts';

type Verifiable = Pick<OperatorRow, 'id' | 'email' | 'emailVerifiedAt'>;

/** Records that a provider verified the email of an account, if it did and nobody had. */
export const recordVerifiedEmail = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  operator: Verifiable,
  proven: ProvenIdentity,
): Promise<void> => {
  if (!isProof(operator, proven)) {
    return;
  }
  await write(db, 'global', async (scope) => {
    const tx = trustAccountChange(scope, 'the provider verified the email of a linked account');
    const locked = await lockOperator(tx, operator.id);
    if (locked) {
      await verifyEmailIn(tx, locked, { proven, at: clock() });
    }
  });
};

/** The same in the transaction of another change. Lock the operator first. */
export const verifyEmailIn = async (
  tx: AccountTx,
  operator: Verifiable,
  { proven, at }: { readonly proven: ProvenIdentity; readonly at: Date },
): Promise<void> => {
  if (isProof(operator, proven)) {
    await updateEmailVerified(tx, { id: operator.id, at });
    const { issuer, subject } = proven;
    const detail = { issuer, subject };
    await recordActivity(tx, {
      actor: systemActor,
      action: 'email.verified',
      operator,
      at,
      detail,
    });
  }
};

const isProof = (operator: Verifiable, { email, isEmailVerified }: ProvenIdentity): boolean =>
  operator.emailVerifiedAt === null && isEmailVerified && email === operator.email;
