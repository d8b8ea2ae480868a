import { updateOperatorContract } from '@commonplace/contracts/auth';
import { defineRoute, reply } from '@commonplace/http';
import { updateOperator } from '../commands/update-operator.ts';
import type { Deps } from '../deps.ts';
import { presentOperator } from '../present/operators.ts';

/** `PATCH /api/auth/operators/{operatorId}` */
export const updateOperatorRoute = (deps: Pick<Deps, 'db' | 'clock' | 'sessions'>) =>
  defineRoute(updateOperatorContract, async ({ params, body, caller, raw }) => {
    const change = { id: params.operatorId, ...body };
    return reply(200, presentOperator(await updateOperator(deps, { caller, raw }, change)));
  });
