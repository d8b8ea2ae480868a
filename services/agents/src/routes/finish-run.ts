import { finishRunContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { finishRun } from '../commands/finish-run.ts';
import type { Deps } from '../deps.ts';
import { presentRun } from '../present/credentials.ts';

export const finishRunRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(finishRunContract, async (request) => {
    const {
      params: { runId },
      body,
      company,
    } = request;
    const audit = auditContextOf(request, clock);
    const outcome = { runId, status: body.status, costCents: body.costCents };
    const run = await withCompany(db, company.id, (tx) => finishRun(tx, outcome, audit));
    return reply(200, presentRun(run, audit.at));
  });
