import { setUpContract } from '@commonplace/contracts/auth';
import { defineRoute, reply } from '@commonplace/http';
import { transferLocalMemberships } from '../commands/transfer-local-memberships.ts';
import { recordSignIn } from '../commands/record-sign-in.ts';
import { setUp } from '../commands/set-up.ts';
import type { Deps } from '../deps.ts';
import { assertAccountsEnabled } from '../policy/assert-accounts-enabled.ts';
import { presentSignedIn } from '../present/operators.ts';
import { clientOf } from '../sessions/client-of.ts';

/** `POST /api/auth/setup` */
export const setUpRoute = (deps: Omit<Deps, 'runTokenKeys'>) =>
  defineRoute(setUpContract, async ({ body, raw, requestId }) => {
    assertAccountsEnabled(deps.deploymentMode);
    const operator = await setUp(deps, body);
    const { id: operatorId, email, session_epoch: epoch } = operator;
    await deps.sessions.begin(raw, { operatorId, epoch });
    await recordSignIn(deps, { operatorId, email, method: 'setup', client: clientOf(raw.req) });
    // Now if possible, so that the first page shows the companies; `jobs/maintenance.ts` goes on trying.
    await transferLocalMemberships(deps).catch((error: unknown) => {
      deps.log.warn({ err: error, requestId }, 'local memberships are not handed over yet');
    });
    return reply(201, { operator: presentSignedIn(operator) });
  });
