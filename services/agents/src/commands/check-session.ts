import { AppError } from '@commonplace/contracts/core';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { Deps } from '../deps.ts';

/** The state of a session that has not ended. */
export type CheckedSession = {
  /** Undefined for the local operator, and while an auth process of a release that does not know responds. */
  readonly accessEpoch?: number | undefined;
  readonly hasRecentSignIn?: boolean | undefined;
};

/**
 * Reads the state of the caller's session from the auth service. 401 `session_expired` if it has ended: the
 * identity of the caller may be a second old. The local operator has no session and passes.
 */
export const checkSession = async (
  { checkOperator }: Pick<Deps, 'checkOperator'>,
  { operatorId, sessionId, isLocal }: OperatorCaller,
): Promise<CheckedSession> => {
  if (isLocal || sessionId === null) {
    return {};
  }
  const { isActive, ...session } = await checkOperator({ operatorId, sessionId });
  if (!isActive) {
    throw new AppError('session_expired');
  }
  return session;
};

/**
 * Reads the access epoch of an operator whose session is active. What the operator derives carries it: the session is
 * checked and the epoch is read at once, so a session that was evicted gives nothing of the next epoch.
 */
export const readAccessEpoch = async (
  deps: Pick<Deps, 'checkOperator'>,
  caller: AgentCaller | OperatorCaller,
): Promise<number | null> =>
  caller.kind === 'operator' ? ((await checkSession(deps, caller)).accessEpoch ?? null) : null;
