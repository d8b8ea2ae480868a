import { AppError, type OperatorId } from '@commonplace/contracts/core';
import { read, write } from '@commonplace/db';
import type { Client, Deps } from '../deps.ts';
import { stepOfCode } from '../factors/totp.ts';
import { secondFactorBuckets } from '../policy/login-limits.ts';
import { recoveryCodeDigest } from '../policy/recovery-codes.ts';
import { findTotp, useRecoveryCode, useStep, type TotpRow } from '../queries/factors.ts';
import { consumeLoginAttempt, resetLoginAttempts } from './consume-login-attempt.ts';
import { findShare } from './find-share.ts';
import { recordFailedSignIn } from './record-sign-in.ts';

/** Exactly one of the two. */
export type SecondFactor = {
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
};

export type SecondFactorAttempt = {
  readonly operator: { readonly id: OperatorId; readonly email: string };
  readonly factor: SecondFactor;
  readonly client: Client;
};

type FactorDeps = Pick<Deps, 'db' | 'clock' | 'secretBox' | 'log'>;

/** Whether signing in needs a code after the password. */
export const needsSecondFactor = async (
  { db }: Pick<Deps, 'db'>,
  operatorId: OperatorId,
): Promise<boolean> => {
  const totp = await read(db, 'global', (tx) => findTotp(tx, operatorId));
  return totp !== null && totp.confirmedAt !== null;
};

/**
 * Uses up a code or a recovery code of an operator, and returns which. Attempts count before they are checked, over
 * all replicas: 429 `login_throttled`. A wrong code is 401 `invalid_code` and in the history.
 */
export const checkSecondFactor = async (
  deps: FactorDeps,
  { operator, factor, client }: SecondFactorAttempt,
): Promise<'totp' | 'recovery_code'> => {
  const method = factor.recoveryCode === undefined ? 'totp' : 'recovery_code';
  const share = await findShare(deps, client, { operatorId: operator.id });
  const buckets = secondFactorBuckets(operator.id, { kind: method, share });
  await consumeLoginAttempt(deps, buckets);
  if (!(await isUsed(deps, operator.id, factor))) {
    const { id: operatorId, email } = operator;
    await recordFailedSignIn(deps, { email, method, client, operatorId });
    throw new AppError('invalid_code');
  }
  await resetLoginAttempts(deps, buckets);
  return method;
};

const isUsed = async (
  deps: FactorDeps,
  operatorId: OperatorId,
  { code, recoveryCode }: SecondFactor,
): Promise<boolean> => {
  if (recoveryCode !== undefined) {
    const digest = recoveryCodeDigest(recoveryCode);
    return write(deps.db, 'global', (tx) => useRecoveryCode(tx, { operatorId, digest }));
  }
  const totp = await read(deps.db, 'global', (tx) => findTotp(tx, operatorId));
  const step = totp && stepOf(deps, totp, code ?? '');
  return step !== null && write(deps.db, 'global', (tx) => useStep(tx, { operatorId, step }));
};

/** Returns the time step of a code; null means it is wrong. */
export const stepOf = (
  { secretBox, clock, log }: Pick<Deps, 'secretBox' | 'clock' | 'log'>,
  totp: TotpRow,
  code: string,
): number | null => {
  const sealed = { sealed: totp.sealedSecret, keyId: totp.keyId };
  const secret = secretBox?.open(sealed, totp.operatorId) ?? null;
  if (!secret) {
    log.error({ operatorId: totp.operatorId }, 'no SECOND_FACTOR_SECRETS opens this factor');
    return null;
  }
  return stepOfCode(secret, code, clock());
};
