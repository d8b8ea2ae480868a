import { describeInviteContract } from '@commonplace/contracts/auth';
import { read } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { findInvite } from '../commands/find-invite.ts';
import type { Deps } from '../deps.ts';
import { assertAccountsEnabled } from '../policy/assert-accounts-enabled.ts';
import { findOperator } from '../queries/operators.ts';
import { clientOf } from '../sessions/client-of.ts';

/** `POST /api/auth/invites/describe` */
export const describeInviteRoute = (
  deps: Pick<Deps, 'db' | 'clock' | 'callAgents' | 'deploymentMode'>,
) =>
  defineRoute(describeInviteContract, async ({ body, raw, requestId }) => {
    assertAccountsEnabled(deps.deploymentMode);
    const attempt = { token: body.token, client: clientOf(raw.req), requestId };
    const {
      companyName,
      email,
      role,
      invitedBy,
      grants = null,
      isUsed = false,
    } = (await findInvite(deps, attempt)).invite;
    const inviter =
      invitedBy && (await read(deps.db, 'global', (tx) => findOperator(tx, invitedBy)));
    const inviterName = inviter?.name ?? null;
    return reply(200, { companyName, inviterName, email, role, grants, isUsed });
  });
