import { describeInviteContract } from '@commonplace/contracts/auth';
import { AppError } from '@commonplace/contracts/core';
import { findInviteContract } from '@commonplace/contracts/internal';
import { read } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { assertAccountsEnabled } from '../policy/assert-accounts-enabled.ts';
import { oneTimeTokenDigest } from '../policy/one-time-token.ts';
import { findOperator } from '../queries/operators.ts';

/** `POST /api/auth/invites/describe` */
export const describeInviteRoute = ({
  db,
  callAgents,
  deploymentMode,
}: Pick<Deps, 'db' | 'callAgents' | 'deploymentMode'>) =>
  defineRoute(describeInviteContract, async ({ body, requestId }) => {
    assertAccountsEnabled(deploymentMode);
    const tokenDigest = oneTimeTokenDigest(body.token);
    const { invite } = await callAgents(findInviteContract, { tokenDigest }, requestId);
    if (!invite) {
      throw new AppError('invalid_one_time_token');
    }
    const { companyName, email, role, invitedBy } = invite;
    const inviter = invitedBy && (await read(db, 'global', (tx) => findOperator(tx, invitedBy)));
    return reply(200, { companyName, inviterName: inviter?.name ?? null, email, role });
  });
