import { updateMemberContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { updateMember } from '../commands/update-member.ts';
import type { Deps } from '../deps.ts';
import { presentMember } from '../present/companies.ts';

export const updateMemberRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(updateMemberContract, async (request) => {
    const { params, body, company } = request;
    const change = { operatorId: params.operatorId, role: body.role };
    const row = await withCompany(db, company.id, (tx) =>
      updateMember(tx, change, auditContextOf(request, clock)),
    );
    return reply(200, presentMember(row));
  });
