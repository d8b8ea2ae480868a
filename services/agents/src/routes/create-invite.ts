import { createInviteContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { createInvite } from '../commands/create-invite.ts';
import type { Deps } from '../deps.ts';
import { assertInvitesEnabled } from '../policy/state.ts';
import { presentInvite } from '../present/companies.ts';

export const createInviteRoute = (deps: Pick<Deps, 'db' | 'clock' | 'mode' | 'baseUrl'>) =>
  defineRoute(createInviteContract, async (request) => {
    const { body, caller, company } = request;
    const input = { ...body, invitedBy: caller.operatorId };
    assertInvitesEnabled(deps.mode);
    const { invite, token } = await withCompany(deps.db, company.id, (tx) =>
      createInvite(tx, input, auditContextOf(request, deps.clock)),
    );
    // Behind the #, the token stays in the browser: no server log and no Referer ever holds it.
    const url = `${deps.baseUrl}/invite#token=${token}`;
    const response = { ...presentInvite(invite), token, url };
    return reply(201, response, { 'Cache-Control': 'no-store' });
  });
