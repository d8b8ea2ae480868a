import { AppError } from '@commonplace/contracts/core';
import { read } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { oneTimeTokenDigest } from '../policy/one-time-token.ts';
import { findInstance } from '../queries/instance.ts';
import type { OperatorRow } from '../queries/operators.ts';
import { createOperator, type NewAccount } from './create-operator.ts';

/**
 * Creates the first operator with the setup token. The token is checked before the password is
 * hashed, so that unauthenticated callers cannot cause hashing, and again under the lock.
 */
export const setUp = async (
  deps: Pick<Deps, 'db' | 'clock' | 'passwords'>,
  { token, ...account }: NewAccount & { readonly token: string },
): Promise<OperatorRow> => {
  const tokenDigest = await checkSetupToken(deps, token);
  return createOperator(deps, account, { kind: 'first_by_token', tokenDigest });
};

/** Returns the digest of the token in the newest setup link. 409 `already_set_up`, 401 `invalid_one_time_token`. */
export const checkSetupToken = async (deps: Pick<Deps, 'db'>, token: string): Promise<string> => {
  const tokenDigest = oneTimeTokenDigest(token);
  const instance = await read(deps.db, 'global', findInstance);
  if (instance.firstOperatorId !== null) {
    throw new AppError('already_set_up');
  }
  if (instance.setupTokenDigest !== tokenDigest) {
    throw new AppError('invalid_one_time_token');
  }
  return tokenDigest;
};
