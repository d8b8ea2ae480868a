import { createInviteContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { doingOf } from '../commands/actor-of.ts';
import { addInvite } from '../commands/add-invite.ts';
import type { Deps } from '../deps.ts';
import { assertInvitesOpen } from '../policy/assert-invites-open.ts';
import { presentInvite } from '../present/present-invite.ts';

export const createInviteRoute = (deps: Pick<Deps, 'db' | 'clock' | 'mode' | 'baseUrl'>) =>
  defineRoute(createInviteContract, async (request) => {
    const { body, caller, company } = request;
    const order = { ...body, invitedBy: caller.operatorId };
    assertInvitesOpen(deps.mode);
    const { invite, token } = await withCompany(deps.db, company.id, (tx) =>
      addInvite(tx, order, doingOf(request, deps.clock)),
    );
    // Behind the #, the token stays in the browser: no server log and no Referer ever holds it.
    const url = `${deps.baseUrl}/invite#token=${token}`;
    const answer = { ...presentInvite(invite), token, url };
    return reply(201, answer, { 'Cache-Control': 'no-store' });
  });
