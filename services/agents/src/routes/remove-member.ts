import { removeMemberContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { doingOf } from '../commands/actor-of.ts';
import { removeMember as endMembership } from '../commands/change-member.ts';
import type { Deps } from '../deps.ts';

export const removeMemberRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(removeMemberContract, async (request) => {
    const { params, company } = request;
    await withCompany(db, company.id, (tx) =>
      endMembership(tx, params.operatorId, doingOf(request, clock)),
    );
    return reply(204);
  });
