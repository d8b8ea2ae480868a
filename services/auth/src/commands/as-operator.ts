import { AppError } from '@commonplace/contracts/core';
import { write, type GlobalTx } from '@commonplace/db';
import type { OperatorCaller } from '@commonplace/identity';
import type { Deps } from '../deps.ts';
import { lockInstance } from '../queries/instance.ts';
import { lockActiveSession } from '../queries/sessions.ts';
import { lockOperator } from '../queries/operators.ts';
import type { AccountTx } from '../queries/tx.ts';

/** The operator on whose behalf something changes, and in which capacity. */
export type ActingOperator = {
  readonly caller: OperatorCaller;
  /** `administrator`: may change any operator; serialized over all replicas. */
  readonly as: 'self' | 'administrator';
};

/**
 * Changes accounts or sessions on behalf of an operator. The gateway authorized the session when
 * the request arrived; reading its body and hashing a password take time. So the transaction of the
 * change checks the session again, and for administrators the flag, under locks that conflict with
 * ending the session and clearing the flag. 401 `session_expired`, 403 `administrator_only`. The 401 clears no cookie:
 * the browser may have the session's next one by now.
 *
 * Locks are taken in the order instance, operator, session.
 */
export const asOperator = async <Result>(
  deps: Pick<Deps, 'db' | 'clock'>,
  acting: ActingOperator,
  change: (tx: AccountTx) => Promise<Result>,
): Promise<Result> => {
  const outcome = await write(deps.db, 'global', async (tx) =>
    (await isAllowed(tx, acting, deps.clock())) ? { result: await change(tx as AccountTx) } : null,
  );
  if (!outcome) {
    throw new AppError('session_expired');
  }
  return outcome.result;
};

/**
 * Lets a transaction change accounts without a session; `reason` says what authorizes the change.
 */
export const trustAccountChange = (tx: GlobalTx, _reason: string): AccountTx => tx as AccountTx;

/**
 * Whether the session is active; throws 403 if an administrator is required and the caller is none
 * any more.
 */
const isAllowed = async (
  tx: GlobalTx,
  { caller, as }: ActingOperator,
  now: Date,
): Promise<boolean> => {
  if (as === 'administrator') {
    await lockInstance(tx);
  }
  const { operatorId, sessionId: id, isLocal } = caller;
  // The local board operator has neither an account nor a session.
  if (isLocal) {
    return true;
  }
  const operator = await lockOperator(tx, operatorId);
  if (!operator || id === null || !(await lockActiveSession(tx, { id, operatorId, now }))) {
    return false;
  }
  if (as === 'administrator' && !operator.isAdmin) {
    throw new AppError('administrator_only');
  }
  return true;
};
