import { AppError } from '@commonplace/contracts/core';
import { redeemInviteContract } from '@commonplace/contracts/internal';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { acceptInvite } from '../../commands/accept-invite.ts';
import { readActiveInvite } from '../../commands/read-active-invite.ts';
import type { Deps } from '../../deps.ts';
import { presentMembership } from '../../present/companies.ts';

export const redeemInviteRoute = (deps: Pick<Deps, 'db' | 'clock' | 'checkOperator'>) =>
  defineRoute(redeemInviteContract, async ({ body: { tokenDigest, operator } }) => {
    const found = await readActiveInvite(deps, tokenDigest);
    if (!found) {
      throw new AppError('invalid_one_time_token');
    }
    const { company, invite } = found;
    const newMember = { operatorId: operator.id, email: operator.email, name: operator.name };
    const row = await withCompany(deps.db, company.id, (tx) =>
      acceptInvite(tx, { inviteId: invite.id, newMember, at: deps.clock() }),
    );
    return reply(200, { membership: presentMembership(row, row.role) });
  });
