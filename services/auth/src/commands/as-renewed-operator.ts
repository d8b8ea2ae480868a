import { AppError } from '@commonplace/contracts/core';
import type { Deps, RawExchange } from '../deps.ts';
import { renewedSessionId } from '../policy/renewed-session-id.ts';
import { renewSession } from '../queries/sessions.ts';
import type { AccountTx } from '../queries/tx.ts';
import { asOperator, type ActingOperator } from './as-operator.ts';

/** The operator, and the exchange whose response has the new cookie. */
export type RenewedOperator = ActingOperator & { readonly raw: RawExchange };

/**
 * As `asOperator`, for changes after which the session can do more. The same transaction gives it a new id and a new
 * cookie: a copy of the former cookie never has the new power, nor has an identity that a gateway made of it before.
 * If the transaction fails, the former cookie goes on with the former power. In `change` the session has its former id.
 */
export const asRenewedOperator = async <Result>(
  deps: Pick<Deps, 'db' | 'clock' | 'sessions'>,
  acting: RenewedOperator,
  change: (tx: AccountTx) => Promise<Result>,
): Promise<Result> => {
  const { operatorId, sessionId: formerId } = acting.caller;
  // The local board operator has no session.
  if (formerId === null) {
    return asOperator(deps, acting, change);
  }
  const cookie = deps.sessions.makeCookie();
  const renewal = { operatorId, formerId, id: renewedSessionId(formerId), digest: cookie.digest };
  const result = await asOperator(deps, acting, async (tx) => {
    const changed = await change(tx);
    if (!(await renewSession(tx, renewal))) {
      throw new AppError('session_expired');
    }
    return changed;
  });
  cookie.send(acting.raw);
  return result;
};
