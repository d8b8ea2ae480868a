import { revokeKeyContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { revokeKey } from '../commands/revoke-key.ts';
import type { Deps } from '../deps.ts';

export const revokeKeyRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(revokeKeyContract, async (request) => {
    const { params, company } = request;
    await withCompany(db, company.id, (tx) =>
      revokeKey(tx, params, auditContextOf(request, clock)),
    );
    return reply(204);
  });
