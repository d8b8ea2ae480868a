import { AppError } from '@commonplace/contracts/core';
import type { OperatorCaller } from '@commonplace/identity';
import type { Deps } from '../deps.ts';
import { checkSession, type CheckedSession } from './check-session.ts';

/**
 * Throws 403 `reauthentication_required` unless the operator signed in, or confirmed who they are, in
 * the last 15 minutes. The auth service decides, by its own clock, and a confirmation holds at once
 * on every replica; the identity of the caller may be a second old. The local operator passes. Returns the session.
 */
export const requireRecentSignIn = async (
  { checkOperator }: Pick<Deps, 'checkOperator'>,
  caller: OperatorCaller,
): Promise<CheckedSession> => {
  const session = await checkSession({ checkOperator }, caller);
  assertRecentSignIn(session);
  return session;
};

/** The same for a session whose state was read before. */
export const assertRecentSignIn = ({ hasRecentSignIn }: CheckedSession): void => {
  // Absent while a replica of a release that does not know is still running.
  if (hasRecentSignIn === false) {
    throw new AppError('reauthentication_required', 'This needs a sign-in of the last 15 minutes.');
  }
};
