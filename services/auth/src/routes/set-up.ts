import { setUpContract } from '@commonplace/contracts/auth';
import { defineRoute, reply } from '@commonplace/http';
import { adoptLocalMemberships } from '../commands/adopt-local-memberships.ts';
import { recordSignIn } from '../commands/record-sign-in.ts';
import { setUp as createFirst } from '../commands/set-up.ts';
import type { Deps } from '../deps.ts';
import { assertAccountsInUse } from '../policy/assert-accounts-in-use.ts';
import { presentSignedIn } from '../present/present-operator.ts';
import { clientOf } from '../sessions/client-of.ts';

/** `POST /api/auth/setup` */
export const setUpRoute = (deps: Omit<Deps, 'runTokenKeys'>) =>
  defineRoute(setUpContract, async ({ body, raw, requestId }) => {
    assertAccountsInUse(deps.deploymentMode);
    const operator = await createFirst(deps, body);
    const { id: operatorId, email, session_epoch: epoch } = operator;
    await deps.sessions.begin(raw, { operatorId, epoch });
    await recordSignIn(deps, { operatorId, email, method: 'setup', client: clientOf(raw.req) });
    // Now if possible, so that the first page shows the companies; `jobs/keep-house.ts` goes on trying.
    await adoptLocalMemberships(deps).catch((error: unknown) => {
      deps.log.warn({ err: error, requestId }, 'local memberships are not handed over yet');
    });
    return reply(201, { operator: presentSignedIn(operator) });
  });
