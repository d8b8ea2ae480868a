import { findInviteContract, redeemInviteContract } from '@commonplace/contracts/internal';
import { defineRoute, reply } from '@commonplace/http';
import { readActiveInvite } from '../../commands/read-active-invite.ts';
import type { Deps } from '../../deps.ts';
import { AppError, listGrants } from '@commonplace/contracts/core';
import { write } from '@commonplace/db';
import { acceptInvite } from '../../commands/accept-invite.ts';
import { presentMembership } from '../../present/companies.ts';

/** Looks up an invite that can still be accepted, for the page that accepts it. */
export const findInviteRoute = (deps: Pick<Deps, 'db' | 'clock' | 'checkOperator'>) =>
  defineRoute(findInviteContract, async ({ body }) => {
    const found = await readActiveInvite(deps, body.tokenDigest);
    if (!found) {
      return reply(200, { invite: null });
    }
    const { company, invite } = found;
    const { id: inviteId, email, role, invitedBy } = invite;
    const isUsed = invite.acceptedBy !== null;
    const grants = listGrants(invite.grants);
    const { id: companyId, name: companyName } = company;
    return reply(200, {
      invite: { inviteId, companyId, companyName, email, role, invitedBy, grants, isUsed },
    });
  });

/** Makes an operator a member, and uses up the invite. */
export const redeemInviteRoute = (deps: Pick<Deps, 'db' | 'clock' | 'checkOperator'>) =>
  defineRoute(redeemInviteContract, async ({ body: { tokenDigest, operator } }) => {
    const found = await readActiveInvite(deps, tokenDigest);
    if (!found) {
      throw new AppError('invalid_one_time_token');
    }
    const { company, invite } = found;
    const newMember = { operatorId: operator.id, email: operator.email, name: operator.name };
    const row = await write(deps.db, company.id, (tx) =>
      acceptInvite(tx, { inviteId: invite.id, newMember, at: deps.clock() }),
    );
    const membership = {
      ...presentMembership(row, row.role),
      ...(row.grants ? { grants: listGrants(row.grants) } : {}),
    };
    return reply(200, { membership });
  });
