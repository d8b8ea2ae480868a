import { finishRunContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { doingOf } from '../commands/actor-of.ts';
import { finishRun as endRun } from '../commands/finish-run.ts';
import type { Deps } from '../deps.ts';
import { presentRun } from '../present/present-run.ts';

export const finishRunRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(finishRunContract, async (request) => {
    const {
      params: { runId },
      body,
      company,
    } = request;
    const doing = doingOf(request, clock);
    const outcome = { runId, status: body.status, costCents: body.costCents };
    const run = await withCompany(db, company.id, (tx) => endRun(tx, outcome, doing));
    return reply(200, presentRun(run, doing.at));
  });
