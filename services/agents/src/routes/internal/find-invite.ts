import { findInviteContract } from '@commonplace/contracts/internal';
import { defineRoute, reply } from '@commonplace/http';
import { readActiveInvite } from '../../commands/read-active-invite.ts';
import type { Deps } from '../../deps.ts';

export const findInviteRoute = (deps: Pick<Deps, 'db' | 'clock' | 'checkOperator'>) =>
  defineRoute(findInviteContract, async ({ body }) => {
    const found = await readActiveInvite(deps, body.tokenDigest);
    if (!found) {
      return reply(200, { invite: null });
    }
    const { company, invite } = found;
    const { id: inviteId, email, role } = invite;
    const { id: companyId, name: companyName } = company;
    return reply(200, { invite: { inviteId, companyId, companyName, email, role } });
  });
