import { AppError, isAppError, type FieldError } from '@commonplace/contracts/core';
import { findInviteContract, redeemInviteContract } from '@commonplace/contracts/internal';
import { runGlobal } from '@commonplace/db';
import type { Client, Deps, RawExchange } from '../deps.ts';
import { assertLocalLogin } from '../policy/assert-local-login.ts';
import { oneTimeTokenDigest } from '../policy/one-time-token.ts';
import { deleteOperator, findOperatorByEmail, type OperatorRow } from '../queries/operators.ts';
import { assertEnrolled } from './assert-enrolled.ts';
import { createOperator } from './create-operator.ts';
import { recordSignIn } from './record-sign-in.ts';

export type AcceptInviteInput = {
  readonly token: string;
  readonly name: string | undefined;
  readonly password: string | undefined;
  readonly client: Client;
  readonly raw: RawExchange;
  readonly requestId: string;
};

type AcceptDeps = Pick<
  Deps,
  | 'db'
  | 'clock'
  | 'passwords'
  | 'sessions'
  | 'callAgents'
  | 'isLocalLogin'
  | 'requiresSecondFactor'
  | 'requiredAmr'
>;

/**
 * Turns an invite into a membership. A new e-mail gets an account and a session first, then the
 * membership. If the agents service is unavailable in between, the response is 503 but carries the
 * session cookie, so that repeating the request continues where it stopped. Without the cookie,
 * signing in with the chosen password does the same.
 */
export const acceptInvite = async (deps: AcceptDeps, input: AcceptInviteInput) => {
  const tokenDigest = oneTimeTokenDigest(input.token);
  const { requestId } = input;
  const { invite } = await deps.callAgents(findInviteContract, { tokenDigest }, requestId);
  if (!invite) {
    throw new AppError('invalid_one_time_token');
  }
  const existing = await runGlobal(deps.db, (tx) => findOperatorByEmail(tx, invite.email));
  const operator = existing
    ? await assertSignedIn(deps, existing, input.raw)
    : await createInvitedOperator(deps, invite.email, input);
  try {
    const body = { tokenDigest, operator: pick(operator) };
    const { membership } = await deps.callAgents(redeemInviteContract, body, requestId);
    return { operator, membership };
  } catch (error) {
    // The invite was deleted concurrently. There is no open sign-up, so the new account is deleted.
    if (!existing && isAppError(error) && error.code === 'invalid_one_time_token') {
      await runGlobal(deps.db, (tx) => deleteOperator(tx, operator.id));
      await deps.sessions.end(input.raw);
    }
    throw error;
  }
};

const pick = ({ id, email, name }: OperatorRow) => ({ id, email, name });

/** The token alone never opens an existing account: its operator must be signed in, with all factors. */
const assertSignedIn = async (
  deps: AcceptDeps,
  operator: OperatorRow,
  raw: RawExchange,
): Promise<OperatorRow> => {
  const signedIn = await deps.sessions.find(raw);
  if (signedIn?.operatorId !== operator.id) {
    throw new AppError('sign_in_first');
  }
  await assertEnrolled(deps, signedIn);
  return operator;
};

const createInvitedOperator = async (
  deps: AcceptDeps,
  email: string,
  { name, password, client, raw }: AcceptInviteInput,
): Promise<OperatorRow> => {
  assertLocalLogin(deps);
  if (name === undefined || password === undefined) {
    throw missing({ name, password });
  }
  const operator = await createOperator(deps, { email, name, password }, { kind: 'invited' }).catch(
    asSignInFirst,
  );
  const { id: operatorId, session_epoch: epoch } = operator;
  await deps.sessions.begin(raw, { operatorId, epoch, method: 'password' });
  await recordSignIn(deps, { operatorId, email, method: 'invite', client });
  return operator;
};

/** For the same invite twice at once: the second request finds the account of the first. */
const asSignInFirst = (error: unknown): never => {
  throw isAppError(error) && error.code === 'operator_exists'
    ? new AppError('sign_in_first')
    : error;
};

const missing = (fields: Readonly<Record<string, string | undefined>>): AppError => {
  const errors: FieldError[] = Object.entries(fields)
    .filter(([, value]) => value === undefined)
    .map(([field]) => ({ path: `/${field}`, message: 'is required for a new account' }));
  return new AppError('validation_failed', 'The invite is for a new account.', { errors });
};
