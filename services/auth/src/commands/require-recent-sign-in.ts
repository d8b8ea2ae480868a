import { AppError } from '@commonplace/contracts/core';
import { read, type GlobalTx } from '@commonplace/db';
import type { OperatorCaller } from '@commonplace/identity';
import type { Deps } from '../deps.ts';
import { hasSecondFactor } from '../policy/has-second-factor.ts';
import { lockPasskey } from '../queries/passkeys.ts';
import { isRecentSignIn } from '../policy/session-limits.ts';
import {
  findAuthenticatedAt,
  findSignInProof,
  updateAuthenticatedAt,
  type SignInProof,
} from '../queries/sessions.ts';
import { asRenewedOperator, type RenewedOperator } from './as-renewed-operator.ts';
import { ownActivity, recordRepeatableActivity } from './record-activity.ts';

/**
 * Throws 403 `reauthentication_required` unless the operator of a session proved who they are in the
 * last 15 minutes. The local board operator has no session and passes.
 */
export const requireRecentSignIn = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: OperatorCaller,
): Promise<void> => read(db, 'global', (tx) => assertRecentSignIn(tx, caller, clock()));

/** As `requireRecentSignIn`, in the transaction of the change. */
export const assertRecentSignIn = async (
  tx: GlobalTx,
  {
    operatorId,
    sessionId: id,
    isLocal,
  }: Pick<OperatorCaller, 'operatorId' | 'sessionId' | 'isLocal'>,
  now: Date,
): Promise<void> => {
  if (isLocal) {
    return;
  }
  const at = id && (await findAuthenticatedAt(tx, { id, operatorId }));
  if (at === null) {
    throw new AppError('session_expired');
  }
  if (!isRecentSignIn(at, now)) {
    throw new AppError('reauthentication_required', 'This needs a sign-in of the last 15 minutes.');
  }
};

type FactorRule = Pick<Deps, 'db' | 'clock' | 'requiresSecondFactor' | 'requiredAmr' | 'oidc'>;

/**
 * As `requireRecentSignIn`, for changes of factors. Where a second factor is required and the account
 * has one, a session without one neither adds nor removes any. An identity of the provider counts
 * against sessions that a password began: it is what a stolen password does not have.
 */
export const requireSignInForFactors = async (
  deps: FactorRule,
  caller: OperatorCaller,
): Promise<void> => {
  await requireRecentSignIn(deps, caller);
  const { operatorId, sessionId: id } = caller;
  if (!deps.requiresSecondFactor || id === null) {
    return;
  }
  const issuer = deps.oidc?.provider.issuer ?? null;
  const proof = await read(deps.db, 'global', (tx) =>
    findSignInProof(tx, { id, operatorId, issuer }),
  );
  if (proof && hasMoreThanPassword(proof) && !hasSecondFactor(proof, deps.requiredAmr)) {
    throw new AppError('reauthentication_required', 'Confirm this with the factor you have.');
  }
};

/** Whether the account has a proof that the session may lack. */
const hasMoreThanPassword = (proof: SignInProof): boolean =>
  proof.hasPasskey || proof.hasTotp || (proof.hasIdentity && proof.signInMethod === 'password');

/**
 * Records that the operator of a session just proved who they are, with a passkey or without, and renews the session;
 * 401 if it has ended.
 */
export const recordReauthentication = (
  deps: Pick<Deps, 'db' | 'clock' | 'sessions'>,
  acting: Omit<RenewedOperator, 'as'>,
  passkeyId: string | null,
): Promise<void> =>
  asRenewedOperator(deps, { ...acting, as: 'self' }, async (tx) => {
    const { operatorId, sessionId: id } = acting.caller;
    if (passkeyId !== null && !(await lockPasskey(tx, { id: passkeyId, operatorId }))) {
      throw new AppError('invalid_passkey');
    }
    const now = deps.clock();
    if (id !== null) {
      await updateAuthenticatedAt(tx, { id, operatorId, now, passkeyId });
    }
    const detail = { by: passkeyId === null ? 'password' : 'passkey' };
    const confirmed = { action: 'session.reauthenticated', at: now, detail } as const;
    await recordRepeatableActivity(tx, ownActivity(acting.caller, confirmed));
  });
