import { AppError, newId, operatorId } from '@commonplace/contracts/core';
import { withGlobal, type GlobalTx } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { assertStrongPassword } from '../policy/assert-strong-password.ts';
import { insertOperator, type OperatorRow } from '../queries/operators.ts';
import { lockInstance, updateFirstOperator } from '../queries/instance.ts';

export type NewAccount = {
  readonly email: string;
  readonly name: string;
  readonly password: string;
};

/**
 * Which operator may be created:
 * - `first`: only the first operator; 409 afterwards.
 * - `first_by_token`: the same, with the setup token of this digest.
 * - `any`: from the server's shell; becomes the first operator if there is none.
 * - `invited`: by an invite; never the first operator, who owns the instance.
 */
export type CreateOperatorRule =
  | { readonly kind: 'first' | 'any' | 'invited' }
  | { readonly kind: 'first_by_token'; readonly tokenDigest: string };

type CreateDeps = Pick<Deps, 'db' | 'clock' | 'passwords'>;

/**
 * Creates an account. The first operator becomes an administrator. The lock on the instance row
 * ensures that there is only one first operator, for any number of replicas.
 */
export const createOperator = async (
  deps: CreateDeps,
  account: NewAccount,
  rule: CreateOperatorRule,
): Promise<OperatorRow> => {
  assertStrongPassword(account.password, account.email);
  const { hash, pepperId } = await deps.passwords.hash(account.password);
  return withGlobal(deps.db, async (tx) => {
    const isFirst = await isFirstOperator(tx, rule);
    const operator = await insertOperator(tx, {
      id: operatorId.parse(newId()),
      email: account.email,
      name: account.name,
      passwordHash: hash,
      pepperId,
      hasPassword: true,
      isAdmin: isFirst,
      at: deps.clock(),
    });
    if (!operator) {
      throw new AppError('operator_exists');
    }
    if (isFirst) {
      await updateFirstOperator(tx, operator.id);
    }
    return operator;
  });
};

/**
 * Whether the account becomes the first operator; throws if the rule requires that and there is
 * one.
 */
const isFirstOperator = async (tx: GlobalTx, rule: CreateOperatorRule): Promise<boolean> => {
  if (rule.kind === 'invited') {
    return false;
  }
  const instance = await lockInstance(tx);
  if (rule.kind === 'any') {
    return instance.first_operator_id === null;
  }
  if (instance.first_operator_id !== null) {
    throw new AppError('already_set_up');
  }
  if (rule.kind === 'first_by_token' && instance.setup_token_digest !== rule.tokenDigest) {
    throw new AppError('invalid_one_time_token');
  }
  return true;
};
