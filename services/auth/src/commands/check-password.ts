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
 * Returns the operator with this e-mail and password, or throws: 401 `invalid_credentials`, 429
 * `login_throttled`, 503 `busy` (not counted as an attempt). An unknown e-mail, a disabled account
 * and a wrong password run the same statements and take the same time.
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
 * Hashes the password with the current pepper and cost; only here is it known in clear text. If too
 * many passwords are being hashed, the old hash stays until the next sign-in.
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
