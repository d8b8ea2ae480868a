import { checkOperatorContract } from '@commonplace/contracts/internal';
import { runGlobal } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { findOperator } from '../queries/find-operator.ts';

/** `POST /internal/operators/check` */
export const checkOperatorRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(checkOperatorContract, async ({ body: { operatorId } }) => {
    const operator = await runGlobal(db, (tx) => findOperator(tx, operatorId));
    const isActive = operator !== null && operator.disabled_at === null;
    return reply(200, { isActive, isAdministrator: isActive && operator.is_admin });
  });
