import { AppError } from '@commonplace/contracts/core';
import { redeemInvite } from '@commonplace/contracts/internal';
import { runGlobal, withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { acceptInvite } from '../../commands/accept-invite.ts';
import type { Deps } from '../../deps.ts';
import { presentMembership } from '../../present/present-membership.ts';
import { findInvitePlace } from '../../queries/find-invite-place.ts';

export const redeemInviteRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(redeemInvite, async ({ body: { tokenDigest, operator } }) => {
    const digest = Buffer.from(tokenDigest, 'hex');
    const place = await runGlobal(db, (tx) => findInvitePlace(tx, digest));
    if (!place) {
      throw new AppError('invalid_one_time_token');
    }
    const { inviteId } = place;
    const newcomer = { operatorId: operator.id, email: operator.email, name: operator.name };
    const row = await withCompany(db, place.companyId, (tx) =>
      acceptInvite(tx, { inviteId, newcomer, at: clock() }),
    );
    return reply(200, { membership: presentMembership(row, row.role) });
  });
