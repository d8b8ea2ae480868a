import { acceptInviteContract } from '@commonplace/contracts/auth';
import { defineRoute, reply } from '@commonplace/http';
import { acceptInvite } from '../commands/accept-invite.ts';
import type { Deps } from '../deps.ts';
import { assertAccountsEnabled } from '../policy/assert-accounts-enabled.ts';
import { presentSignedIn } from '../present/operators.ts';
import { clientOf } from '../sessions/client-of.ts';

/** `POST /api/auth/invites/accept` */
export const acceptInviteRoute = (deps: Omit<Deps, 'runTokenKeys' | 'log'>) =>
  defineRoute(acceptInviteContract, async ({ body, raw, requestId }) => {
    assertAccountsEnabled(deps.deploymentMode);
    const { token, name, password } = body;
    const client = clientOf(raw.req);
    const acceptance = { token, name, password, client, raw, requestId };
    const { operator, membership } = await acceptInvite(deps, acceptance);
    return reply(200, { operator: presentSignedIn(operator), membership });
  });
