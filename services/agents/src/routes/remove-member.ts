import { removeMember } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { doingOf } from '../commands/actor-of.ts';
import { removeMember as endMembership } from '../commands/change-member.ts';
import type { Deps } from '../deps.ts';
import { assertMayRemove } from '../policy/assert-may-remove.ts';

export const removeMemberRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(removeMember, async ({ params, caller, company }) => {
    assertMayRemove(params.operatorId, { operatorId: caller.operatorId, role: company.role });
    await withCompany(db, company.id, (tx) =>
      endMembership(tx, params.operatorId, doingOf(caller, clock)),
    );
    return reply(204);
  });
