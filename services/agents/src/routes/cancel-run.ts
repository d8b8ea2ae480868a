import { cancelRunContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { doingOf } from '../commands/actor-of.ts';
import { cancelRun as stopRun } from '../commands/cancel-run.ts';
import type { Deps } from '../deps.ts';
import { presentRun } from '../present/present-run.ts';

export const cancelRunRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(cancelRunContract, async (request) => {
    const { params, company } = request;
    const doing = doingOf(request, clock);
    const run = await withCompany(db, company.id, (tx) => stopRun(tx, params.runId, doing));
    return reply(200, presentRun(run, doing.at));
  });
