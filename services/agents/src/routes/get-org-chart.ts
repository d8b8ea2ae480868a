import { getOrgChartContract } from '@commonplace/contracts/agents';
import { readInCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { presentOrgChart } from '../present/agents.ts';
import { listOrgChart } from '../queries/reporting-lines.ts';

export const getOrgChartRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(getOrgChartContract, async ({ company }) =>
    reply(200, presentOrgChart(await readInCompany(db, company.id, listOrgChart))),
  );
