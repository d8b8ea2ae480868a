import { AppError } from '@commonplace/contracts/core';
import { withGlobal, type GlobalTx } from '@commonplace/db';
import type { OperatorCaller } from '@commonplace/identity';
import type { Deps, RawExchange } from '../deps.ts';
import { lockInstance } from '../queries/instance.ts';
import { lockActiveSession } from '../queries/sessions.ts';
import { lockOperator } from '../queries/operators.ts';
import type { AccountTx } from '../queries/tx.ts';

/** On whose behalf something changes, and as what. */
export type ActingOperator = {
  readonly caller: OperatorCaller;
  readonly raw: RawExchange;
  /** `administrator`: changes any operator. Such changes come one after the other, on every replica. */
  readonly as: 'oneself' | 'administrator';
};

/**
 * Changes accounts or sessions on behalf of an operator. The gateway judged the session when the request
 * arrived; its body and the hashing of a password take their time after that. So the session is found alive
 * once more in the transaction of the change, and for administrators the flag set, behind locks that whoever
 * ends one or clears the other needs as well. 401 `session_expired`, 403 `administrator_only`.
 *
 * Locks are taken in the order instance, operator, session.
 */
export const asOperator = async <Result>(
  deps: Pick<Deps, 'db' | 'clock' | 'sessions'>,
  acting: ActingOperator,
  change: (tx: AccountTx) => Promise<Result>,
): Promise<Result> => {
  const outcome = await withGlobal(deps.db, async (tx) =>
    (await isAllowed(tx, acting, deps.clock())) ? { result: await change(tx as AccountTx) } : null,
  );
  if (!outcome) {
    await deps.sessions.end(acting.raw);
    throw new AppError('session_expired');
  }
  return outcome.result;
};

/** Lets a transaction change accounts where no session stands behind it; `reason` says what does. */
export const trustAccountChange = (tx: GlobalTx, _reason: string): AccountTx => tx as AccountTx;

/** Whether the session is alive; throws for an administrator who is none any more. */
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
  if (as === 'administrator' && !operator.is_admin) {
    throw new AppError('administrator_only');
  }
  return true;
};
