import { cancelRunContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { cancelRun } from '../commands/cancel-run.ts';
import type { Deps } from '../deps.ts';
import { presentRun } from '../present/credentials.ts';

export const cancelRunRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(cancelRunContract, async (request) => {
    const { params, company } = request;
    const audit = auditContextOf(request, clock);
    const run = await withCompany(db, company.id, (tx) => cancelRun(tx, params.runId, audit));
    return reply(200, presentRun(run, audit.at));
  });
