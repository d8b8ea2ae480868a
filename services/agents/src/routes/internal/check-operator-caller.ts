import { checkOperatorCallerContract } from '@commonplace/contracts/internal';
import { defineRoute, reply } from '@commonplace/http';
import { findOperatorCaller } from '../../commands/find-caller.ts';
import type { Deps } from '../../deps.ts';

export const checkOperatorCallerRoute = (deps: Pick<Deps, 'db' | 'clock' | 'checkOperator'>) =>
  defineRoute(checkOperatorCallerContract, async ({ body }) =>
    reply(200, { operator: await findOperatorCaller(deps, body) }),
  );
