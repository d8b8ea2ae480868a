import { AppError, isAppError, type FieldError } from '@commonplace/contracts/core';
import { redeemInviteContract } from '@commonplace/contracts/internal';
import { read, write } from '@commonplace/db';
import type { Client, Deps, RawExchange } from '../deps.ts';
import { assertLocalLogin } from '../policy/assert-local-login.ts';
import { assertStrongPassword } from '../policy/assert-strong-password.ts';
import { deleteOperator, findOperatorByEmail, type OperatorRow } from '../queries/operators.ts';
import { assertEnrolled } from './assert-enrolled.ts';
import { refundWindowAttempts } from './consume-login-attempt.ts';
import { createOperator } from './create-operator.ts';
import { findInvite } from './find-invite.ts';
import { recordFailedSignIn, recordSignIn } from './record-sign-in.ts';

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
 * Turns an invite into a membership. A new email gets an account and a session first, then the
 * membership. If the agents service is unavailable in between, the response is 503 but carries the
 * session cookie, so that repeating the request continues where it stopped. Without the cookie,
 * signing in with the chosen password does the same.
 */
export const acceptInvite = async (deps: AcceptDeps, input: AcceptInviteInput) => {
  const { requestId } = input;
  const { invite, tokenDigest, bucket } = await findInvite(deps, input);
  const signedIn = await findSignedIn(deps, invite.email, input.raw);
  const operator = signedIn ?? (await createInvitedOperator(deps, invite.email, input));
  try {
    const body = { tokenDigest, operator: pick(operator) };
    const { membership } = await deps.callAgents(redeemInviteContract, body, requestId);
    // An invite works once, so those that join need no limit.
    await refundWindowAttempts(deps, [bucket]);
    return { operator, membership };
  } catch (error) {
    // The invite was deleted concurrently. There is no open sign-up, so the new account is deleted.
    if (!signedIn && isAppError(error) && error.code === 'invalid_one_time_token') {
      await write(deps.db, 'global', (tx) => deleteOperator(tx, operator.id));
      await deps.sessions.discard(input.raw);
    }
    throw error;
  }
};

const pick = ({ id, email, name }: OperatorRow) => ({ id, email, name });

/**
 * Returns the operator with the invited email, if it is signed in with all factors; null for all others, so that
 * nobody learns from an invite whether an email has an account.
 */
const findSignedIn = async (
  deps: AcceptDeps,
  email: string,
  raw: RawExchange,
): Promise<OperatorRow | null> => {
  const existing = await read(deps.db, 'global', (tx) => findOperatorByEmail(tx, email));
  const signedIn = existing && (await deps.sessions.find(raw));
  if (!existing || signedIn?.operatorId !== existing.id) {
    return null;
  }
  await assertEnrolled(deps, signedIn);
  return existing;
};

/**
 * Creates the account of an invited email. Until it exists, an email that has one is treated alike: the token alone
 * never opens an account, and the password is checked before the email is looked up.
 */
const createInvitedOperator = async (
  deps: AcceptDeps,
  email: string,
  { name, password, client, raw }: AcceptInviteInput,
): Promise<OperatorRow> => {
  if (name === undefined && password === undefined) {
    throw signInFirst();
  }
  assertLocalLogin(deps);
  if (name === undefined || password === undefined) {
    throw missing({ name, password });
  }
  assertStrongPassword(password, email);
  const existing = await read(deps.db, 'global', (tx) => findOperatorByEmail(tx, email));
  if (existing) {
    const { id: operatorId } = existing;
    await recordFailedSignIn(deps, { email, method: 'invite', client, operatorId });
    throw signInFirst();
  }
  const account = { email, name, password, address: client.address };
  const operator = await createOperator(deps, account, { kind: 'invited' }).catch(asSignInFirst);
  const { id: operatorId, sessionEpoch: epoch } = operator;
  await deps.sessions.begin(raw, { operatorId, epoch, method: 'password' });
  await recordSignIn(deps, { operatorId, email, method: 'invite', client });
  return operator;
};

const signInFirst = (): AppError =>
  new AppError(
    'sign_in_first',
    'Sign in with the invited email; if it has no account yet, send `name` and `password`.',
  );

/** For the same invite twice at once: the second request finds the account of the first. */
const asSignInFirst = (error: unknown): never => {
  throw isAppError(error) && error.code === 'operator_exists' ? signInFirst() : error;
};

const missing = (fields: Readonly<Record<string, string | undefined>>): AppError => {
  const errors: FieldError[] = Object.entries(fields)
    .filter(([, value]) => value === undefined)
    .map(([field]) => ({ path: `/${field}`, message: 'is required for a new account' }));
  return new AppError('validation_failed', 'The invite is for a new account.', { errors });
};
