import { checkOperatorContract } from '@commonplace/contracts/internal';
import { runGlobal } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { findActingOperator } from '../queries/operators.ts';

/** `POST /internal/operators/check` */
export const checkOperatorRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(checkOperatorContract, async ({ body: { operatorId, sessionId = null } }) => {
    const named = { operatorId, sessionId, now: clock() };
    const operator = await runGlobal(db, (tx) => findActingOperator(tx, named));
    return reply(200, { isActive: operator !== null, isAdministrator: operator?.isAdmin === true });
  });
