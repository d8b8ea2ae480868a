import { AppError } from '@commonplace/contracts/core';
import { redeemInviteContract } from '@commonplace/contracts/internal';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { acceptInvite } from '../../commands/accept-invite.ts';
import { readLivingInvite } from '../../commands/read-living-invite.ts';
import type { Deps } from '../../deps.ts';
import { presentMembership } from '../../present/present-membership.ts';

export const redeemInviteRoute = (deps: Pick<Deps, 'db' | 'clock' | 'checkOperator'>) =>
  defineRoute(redeemInviteContract, async ({ body: { tokenDigest, operator } }) => {
    const found = await readLivingInvite(deps, tokenDigest);
    if (!found) {
      throw new AppError('invalid_one_time_token');
    }
    const { company, invite } = found;
    const newcomer = { operatorId: operator.id, email: operator.email, name: operator.name };
    const row = await withCompany(deps.db, company.id, (tx) =>
      acceptInvite(tx, { inviteId: invite.id, newcomer, at: deps.clock() }),
    );
    return reply(200, { membership: presentMembership(row, row.role) });
  });
