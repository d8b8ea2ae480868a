import { read } from '@commonplace/db';
import type { CallerLookups } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { findActingOperator } from '../queries/operators.ts';

/**
 * Looks up the current state of callers. No route of this service is open to agents or belongs to a
 * company. The local operator has no account.
 */
export const callerLookups = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): CallerLookups => ({
  findAgent: async () => null,
  findOperator: async ({ operatorId, isLocal, sessionId }) => {
    const named = { operatorId, sessionId, now: clock() };
    const operator = isLocal
      ? { isAdmin: true }
      : await read(db, 'global', (tx) => findActingOperator(tx, named));
    return operator && { ...operator, membership: null };
  },
});
