import { updateMemberContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { doingOf } from '../commands/actor-of.ts';
import { changeMember } from '../commands/change-member.ts';
import type { Deps } from '../deps.ts';
import { presentMember } from '../present/present-member.ts';

export const updateMemberRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(updateMemberContract, async (request) => {
    const { params, body, company } = request;
    const change = { operatorId: params.operatorId, role: body.role };
    const row = await withCompany(db, company.id, (tx) =>
      changeMember(tx, change, doingOf(request, clock)),
    );
    return reply(200, presentMember(row));
  });
