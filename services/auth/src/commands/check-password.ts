import { AppError, isAppError } from '@commonplace/contracts/core';
import { runGlobal } from '@commonplace/db';
import type { Client, Deps } from '../deps.ts';
import { loginBuckets } from '../policy/login-limits.ts';
import { findOperatorByEmail, type OperatorRow } from '../queries/operators.ts';
import { replacePasswordHash } from '../queries/passwords.ts';
import { recordFailedSignIn } from './record-sign-in.ts';
import {
  resetLoginAttempts,
  refundLoginAttempt,
  consumeLoginAttempt,
} from './consume-login-attempt.ts';

export type PasswordAttempt = {
  readonly email: string;
  readonly password: string;
  readonly client: Client;
};

type CheckDeps = Pick<Deps, 'db' | 'clock' | 'passwords'>;

/**
 * Finds the operator of an e-mail and its right password, or refuses (401 `invalid_credentials`,
 * 429 `login_throttled`, 503 `busy`, which counts as no try). An unknown e-mail, a disabled account and a
 * wrong password go the same way and take the same time.
 */
export const checkPassword = async (
  deps: CheckDeps,
  attempt: PasswordAttempt,
): Promise<OperatorRow> => {
  const { email, password, client } = attempt;
  const buckets = loginBuckets(email, client.address);
  await consumeLoginAttempt(deps, buckets);
  const operator = await runGlobal(deps.db, (tx) => findOperatorByEmail(tx, email));
  const { isMatch, isOutdated } = await deps.passwords
    .verify(password, storedPassword(operator))
    .catch(async (error: unknown) => {
      await refundLoginAttempt(deps, buckets);
      throw error;
    });
  if (!operator || !isMatch || operator.disabled_at !== null) {
    const operatorId = operator?.id ?? null;
    await recordFailedSignIn(deps, { email, method: 'password', client, operatorId });
    throw new AppError('invalid_credentials');
  }
  await resetLoginAttempts(deps, buckets);
  if (isOutdated) {
    await renewHash(deps, operator, password);
  }
  return operator;
};

const storedPassword = (operator: OperatorRow | null) =>
  operator && { hash: operator.password_hash, pepperId: operator.pepper_id };

/**
 * The password is known in clear only now: the time to hash it with the current pepper and cost. It was right,
 * so where too many others are being hashed it stays as it is, until the next time.
 */
const renewHash = async (
  { db, passwords }: CheckDeps,
  operator: OperatorRow,
  password: string,
): Promise<void> => {
  const renewed = await passwords.hash(password).catch((error: unknown) => {
    if (isAppError(error) && error.code === 'busy') {
      return null;
    }
    throw error;
  });
  if (!renewed) {
    return;
  }
  const { hash, pepperId } = renewed;
  await runGlobal(db, (tx) =>
    replacePasswordHash(tx, {
      id: operator.id,
      formerHash: operator.password_hash,
      passwordHash: hash,
      pepperId,
    }),
  );
};
