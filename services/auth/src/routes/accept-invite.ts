import { acceptInviteContract } from '@commonplace/contracts/auth';
import { defineRoute, reply } from '@commonplace/http';
import { acceptInvite as accept } from '../commands/accept-invite.ts';
import type { Deps } from '../deps.ts';
import { assertAccountsInUse } from '../policy/assert-accounts-in-use.ts';
import { presentSignedIn } from '../present/present-operator.ts';
import { clientOf } from '../sessions/client-of.ts';

/** `POST /api/auth/invites/accept` */
export const acceptInviteRoute = (deps: Omit<Deps, 'runTokenKeys' | 'log'>) =>
  defineRoute(acceptInviteContract, async ({ body, raw, requestId }) => {
    assertAccountsInUse(deps.deploymentMode);
    const { token, name, password } = body;
    const client = clientOf(raw.req);
    const acceptance = { token, name, password, client, raw, requestId };
    const { operator, membership } = await accept(deps, acceptance);
    return reply(200, { operator: presentSignedIn(operator), membership });
  });
