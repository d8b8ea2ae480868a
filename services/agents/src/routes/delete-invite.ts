import { deleteInviteContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { deleteInvite } from '../commands/delete-invite.ts';
import type { Deps } from '../deps.ts';
import { assertInvitesEnabled } from '../policy/state.ts';

export const deleteInviteRoute = ({ db, clock, mode }: Pick<Deps, 'db' | 'clock' | 'mode'>) =>
  defineRoute(deleteInviteContract, async (request) => {
    const { params, company } = request;
    assertInvitesEnabled(mode);
    await withCompany(db, company.id, (tx) =>
      deleteInvite(tx, params.inviteId, auditContextOf(request, clock)),
    );
    return reply(204);
  });
