import { deleteInviteContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { doingOf } from '../commands/actor-of.ts';
import { withdrawInvite } from '../commands/withdraw-invite.ts';
import type { Deps } from '../deps.ts';
import { assertInvitesOpen } from '../policy/assert-invites-open.ts';

export const deleteInviteRoute = ({ db, clock, mode }: Pick<Deps, 'db' | 'clock' | 'mode'>) =>
  defineRoute(deleteInviteContract, async (request) => {
    const { params, company } = request;
    assertInvitesOpen(mode);
    await withCompany(db, company.id, (tx) =>
      withdrawInvite(tx, params.inviteId, doingOf(request, clock)),
    );
    return reply(204);
  });
