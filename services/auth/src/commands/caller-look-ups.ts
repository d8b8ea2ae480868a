import { runGlobal } from '@commonplace/db';
import type { CallerLookUps } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { findActingOperator } from '../queries/operators.ts';

/**
 * Reads what callers are now. No route of this service is for agents, and none is about a company; the local operator
 * has no account.
 */
export const callerLookUps = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): CallerLookUps => ({
  findAgent: async () => null,
  findOperator: async ({ operatorId, isLocal, sessionId }) => {
    const named = { operatorId, sessionId, now: clock() };
    const operator = isLocal
      ? { isAdmin: true }
      : await runGlobal(db, (tx) => findActingOperator(tx, named));
    return operator && { ...operator, membership: null };
  },
});
