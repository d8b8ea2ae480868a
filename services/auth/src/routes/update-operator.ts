import { updateOperator } from '@commonplace/contracts/auth';
import { defineRoute, reply } from '@commonplace/http';
import { updateOperator as update } from '../commands/update-operator.ts';
import type { Deps } from '../deps.ts';
import { presentOperator } from '../present/present-operator.ts';

/** `PATCH /api/auth/operators/{operatorId}` */
export const updateOperatorRoute = (deps: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(updateOperator, async ({ params, body }) =>
    reply(200, presentOperator(await update(deps, { id: params.operatorId, ...body }))),
  );
