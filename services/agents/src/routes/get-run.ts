import { getRunContract } from '@commonplace/contracts/agents';
import { lookUpInCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { readRun } from '../commands/read-or-not-found.ts';
import type { Deps } from '../deps.ts';
import { presentRun } from '../present/credentials.ts';

export const getRunRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(getRunContract, async ({ params, company }) => {
    const run = await lookUpInCompany(db, company.id, (tx) => readRun(tx, params.runId));
    return reply(200, presentRun(run, clock()));
  });
