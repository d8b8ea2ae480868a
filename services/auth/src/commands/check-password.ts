import { AppError, isAppError } from '@commonplace/contracts/core';
import { read, write } from '@commonplace/db';
import type { Client, Deps } from '../deps.ts';
import {
  loginBuckets,
  passwordCheckBuckets,
  type LoginBuckets,
  type Share,
} from '../policy/login-limits.ts';
import { findOperatorByEmail, type OperatorRow } from '../queries/operators.ts';
import { replacePasswordHash } from '../queries/passwords.ts';
import { findShare } from './find-share.ts';
import { recordFailedSignIn } from './record-sign-in.ts';
import {
  resetLoginAttempts,
  refundLoginAttempt,
  consumeLoginAttempt,
  consumeWindowAttempt,
  refundWindowAttempts,
} from './consume-login-attempt.ts';

export type PasswordAttempt = {
  readonly email: string;
  readonly password: string;
  readonly client: Client;
  /** What is said if it is wrong; by default that email or password is. */
  readonly refusal?: string;
};

type CheckDeps = Pick<Deps, 'db' | 'clock' | 'passwords'>;

/**
 * Returns the operator with this email and password, or throws: 401 `invalid_credentials`, 429
 * `login_throttled`, 503 `busy` (not counted as an attempt). An unknown email, a disabled account
 * and a wrong password run the same statements and take the same time.
 */
export const checkPassword = async (
  deps: CheckDeps,
  attempt: PasswordAttempt,
): Promise<OperatorRow> => {
  const { email, password, client, refusal } = attempt;
  const share = await findShare(deps, client, { email });
  const buckets = loginBuckets(email, share);
  await consumeLoginAttempt(deps, buckets);
  const checks = await consumePasswordCheck(deps, { email, share, buckets });
  const operator = await read(deps.db, 'global', (tx) => findOperatorByEmail(tx, email));
  const { isMatch, isOutdated } = await deps.passwords
    .verify(password, storedPassword(operator), { account: email, address: share.name })
    .catch(async (error: unknown) => {
      await refundLoginAttempt(deps, buckets);
      await refundWindowAttempts(deps, checks);
      throw error;
    });
  if (!operator || !isMatch || operator.disabledAt !== null) {
    await refundWindowAttempts(deps, checks);
    const operatorId = operator?.id ?? null;
    await recordFailedSignIn(deps, { email, method: 'password', client, operatorId });
    throw new AppError('invalid_credentials', refusal);
  }
  await resetLoginAttempts(deps, buckets);
  if (isOutdated) {
    await renewHash(deps, operator, { password, address: share.name });
  }
  return operator;
};

type PasswordCheck = {
  readonly email: string;
  readonly share: Share;
  readonly buckets: LoginBuckets;
};

/**
 * Limits how many right passwords are checked, and returns the buckets. Attempts that are wrong, or not checked, get
 * them back: other limits count those.
 */
const consumePasswordCheck = async (
  deps: CheckDeps,
  { email, share, buckets }: PasswordCheck,
): Promise<readonly string[]> => {
  const counted: string[] = [];
  for (const [bucket, limit] of passwordCheckBuckets(email, share)) {
    await consumeWindowAttempt(deps, bucket, limit).catch(async (error: unknown) => {
      await refundLoginAttempt(deps, buckets);
      await refundWindowAttempts(deps, counted);
      throw error;
    });
    counted.push(bucket);
  }
  return counted;
};

const storedPassword = (operator: OperatorRow | null) =>
  operator && { hash: operator.passwordHash, pepperId: operator.pepperId };

/**
 * Hashes the password with the current pepper and cost; only here is it known in clear text. If too
 * many passwords are being hashed, the old hash stays until the next sign-in.
 */
const renewHash = async (
  { db, passwords }: CheckDeps,
  operator: OperatorRow,
  { password, address }: { readonly password: string; readonly address: string },
): Promise<void> => {
  const hashed = passwords.hash(password, { account: operator.email, address });
  const renewed = await hashed.catch((error: unknown) => {
    if (isAppError(error) && error.code === 'busy') {
      return null;
    }
    throw error;
  });
  if (!renewed) {
    return;
  }
  const { hash, pepperId } = renewed;
  await write(db, 'global', (tx) =>
    replacePasswordHash(tx, {
      id: operator.id,
      formerHash: operator.passwordHash,
      passwordHash: hash,
      pepperId,
    }),
  );
};
