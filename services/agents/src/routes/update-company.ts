import { updateCompanyContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { updateCompany } from '../commands/update-company.ts';
import { cancelFirstRuns } from '../commands/finish-cancellations.ts';
import type { Deps } from '../deps.ts';
import { presentCompany } from '../present/companies.ts';

export const updateCompanyRoute = (deps: Pick<Deps, 'db' | 'clock' | 'log'>) =>
  defineRoute(updateCompanyContract, async (request) => {
    const { body, company } = request;
    const row = await withCompany(deps.db, company.id, (tx) =>
      updateCompany(tx, body, auditContextOf(request, deps.clock)),
    );
    if (row.status === 'archived') {
      await cancelFirstRuns(deps, company.id);
    }
    return reply(200, presentCompany(row));
  });
