import { AppError, newId, operatorId } from '@commonplace/contracts/core';
import { write, type GlobalTx } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { assertStrongPassword } from '../policy/assert-strong-password.ts';
import { insertOperator, type OperatorRow } from '../queries/operators.ts';
import { lockInstance, updateFirstOperator } from '../queries/instance.ts';
import { recordActivity, shellActor, systemActor } from './record-activity.ts';

export type NewAccount = {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** Where the request came from; absent: the shell or the configuration. */
  readonly address?: string;
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
  const { email, address } = account;
  const share = address === undefined ? undefined : { account: email, address };
  const { hash, pepperId } = await deps.passwords.hash(account.password, share);
  return write(deps.db, 'global', async (tx) => {
    const isFirst = await isFirstOperator(tx, rule);
    const operator = await insertOperator(tx, {
      id: operatorId.parse(newId()),
      email,
      name: account.name,
      passwordHash: hash,
      pepperId,
      hasPassword: true,
      isAdmin: isFirst,
      // Who runs the instance names its operators; an invited email may be anybody's.
      isEmailVerified: rule.kind !== 'invited',
      at: deps.clock(),
    });
    if (!operator) {
      throw new AppError('operator_exists');
    }
    if (isFirst) {
      await updateFirstOperator(tx, operator.id);
    }
    await recordActivity(tx, {
      actor: actorOf(rule, operator),
      action: 'operator.created',
      operator,
      at: deps.clock(),
      detail: { by: rule.kind, isAdmin: isFirst },
    });
    return operator;
  });
};

const actorOf = ({ kind }: CreateOperatorRule, { id, email }: OperatorRow) => {
  switch (kind) {
    case 'any':
      return shellActor;
    case 'first':
      return systemActor;
    case 'first_by_token':
    case 'invited':
      return { kind: 'operator', id, email } as const;
  }
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
    return instance.firstOperatorId === null;
  }
  if (instance.firstOperatorId !== null) {
    throw new AppError('already_set_up');
  }
  if (rule.kind === 'first_by_token' && instance.setupTokenDigest !== rule.tokenDigest) {
    throw new AppError('invalid_one_time_token');
  }
  return true;
};
