import { removeMemberContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { removeMember } from '../commands/update-member.ts';
import type { Deps } from '../deps.ts';

export const removeMemberRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(removeMemberContract, async (request) => {
    const { params, company } = request;
    await withCompany(db, company.id, (tx) =>
      removeMember(tx, params.operatorId, auditContextOf(request, clock)),
    );
    return reply(204);
  });
