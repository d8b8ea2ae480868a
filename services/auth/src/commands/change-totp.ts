import { AppError, type SessionId } from '@commonplace/contracts/core';
import { read } from '@commonplace/db';
import type { OperatorCaller } from '@commonplace/identity';
import type { Client, Deps, RawExchange } from '../deps.ts';
import { makeTotp, type NewTotp } from '../factors/totp.ts';
import { secondFactorBuckets } from '../policy/login-limits.ts';
import { makeRecoveryCodes, recoveryCodeDigest } from '../policy/recovery-codes.ts';
import {
  confirmTotpRow,
  deleteTotpRow,
  findTotp,
  insertRecoveryCodes,
  replaceUnconfirmedTotp,
} from '../queries/factors.ts';
import { restoreFactorOfSession } from '../queries/sessions.ts';
import { asOperator } from './as-operator.ts';
import { asRenewedOperator } from './as-renewed-operator.ts';
import { stepOf } from './check-second-factor.ts';
import { consumeLoginAttempt, resetLoginAttempts } from './consume-login-attempt.ts';
import { findShare } from './find-share.ts';
import { ownActivity, recordActivity } from './record-activity.ts';
import { endOtherSessions } from './revoke-other-sessions.ts';

type Acting = { readonly caller: OperatorCaller };
type ChangeDeps = Pick<Deps, 'db' | 'clock' | 'secretBox' | 'log'>;

/** Begins the enrolment of an authenticator app: stores an unconfirmed secret. */
export const createTotp = async (deps: ChangeDeps, acting: Acting): Promise<NewTotp> => {
  const { secretBox, clock } = deps;
  if (!secretBox) {
    throw new AppError('second_factor_not_configured', 'Set SECOND_FACTOR_SECRETS.');
  }
  const { operatorId, email } = acting.caller;
  const totp = await makeTotp(email);
  const row = { operatorId, ...secretBox.seal(totp.bytes, operatorId), at: clock() };
  const isStored = await asOperator(deps, { ...acting, as: 'self' }, (tx) =>
    replaceUnconfirmedTotp(tx, row),
  );
  return isStored ? totp : exists();
};

/**
 * Confirms the authenticator app with a code, ends all other sessions, and returns the recovery codes. Wrong codes
 * count as failed sign-ins.
 */
export const confirmTotp = async (
  deps: ChangeDeps & Pick<Deps, 'sessions' | 'requiresSecondFactor'>,
  acting: Acting & { readonly raw: RawExchange; readonly client: Client; readonly code: string },
): Promise<string[]> => {
  const { operatorId, sessionId } = acting.caller;
  const totp = await read(deps.db, 'global', (tx) => findTotp(tx, operatorId));
  if (!totp) {
    throw new AppError('not_found', 'No authenticator app is being set up.');
  }
  if (totp.confirmedAt !== null) {
    exists();
  }
  const share = await findShare(deps, acting.client, { operatorId });
  const buckets = secondFactorBuckets(operatorId, { kind: 'totp', share });
  await consumeLoginAttempt(deps, buckets);
  const step = stepOf(deps, totp, acting.code);
  if (step === null) {
    throw new AppError('invalid_code');
  }
  await resetLoginAttempts(deps, buckets);
  const codes = makeRecoveryCodes();
  const confirmed = { operatorId, sealed: totp.sealedSecret, step, at: deps.clock() };
  // Where a factor is required the session can do more from now on, as after a confirmation.
  const change = deps.requiresSecondFactor ? asRenewedOperator : asOperator;
  await change(deps, { ...acting, as: 'self' }, async (tx) => {
    if (!(await confirmTotpRow(tx, confirmed))) {
      exists();
    }
    await restoreFactorOfSession(tx, { operatorId, id: sessionId });
    await insertRecoveryCodes(tx, { operatorId, digests: codes.map(recoveryCodeDigest) });
    const added = { action: 'totp.added', at: confirmed.at } as const;
    await recordActivity(tx, ownActivity(acting.caller, added));
    await endOtherSessions(tx, { operatorId, keptId: sessionId as SessionId });
  });
  return codes;
};

/** Removes the authenticator app with its recovery codes and ends all other sessions. */
export const deleteTotp = (deps: ChangeDeps, acting: Acting): Promise<void> =>
  asOperator(deps, { ...acting, as: 'self' }, async (tx) => {
    const { operatorId, sessionId } = acting.caller;
    if (await deleteTotpRow(tx, operatorId)) {
      const removed = { action: 'totp.removed', at: deps.clock() } as const;
      await recordActivity(tx, ownActivity(acting.caller, removed));
    }
    await endOtherSessions(tx, { operatorId, keptId: sessionId as SessionId });
  });

const exists = (): never => {
  throw new AppError('second_factor_exists', 'Remove the authenticator app first.');
};
