import { z } from 'zod';
import { pageOf, pageQuery, timestamp } from '../common.ts';
import { agentId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { companyParams } from './company.ts';
import { run, runStatus } from './run.ts';

export const listCompanyRunsContract = routeContract({
  operationId: 'listCompanyRuns',
  service: 'agents',
  method: 'get',
  path: '/api/companies/{companyId}/runs',
  tag: 'Runs',
  summary: 'List the runs of a company',
  description:
    'The runs of all agents, newest first, unless a filter is given. `running` counts all running runs ' +
    'of the company.',
  params: companyParams,
  query: z.object({
    ...pageQuery,
    status: runStatus.optional(),
    agentId: agentId.optional().meta({ description: 'Only runs of this agent' }),
    since: timestamp.optional().meta({ description: 'Only runs that started then or later' }),
    until: timestamp.optional().meta({ description: 'Only runs that started before' }),
  }),
  responses: {
    200: {
      description: 'One page of runs',
      schema: pageOf(run).extend({
        running: z.int().meta({ description: 'The number of running runs of the company' }),
      }),
    },
  },
  errors: [],
  access: {
    kind: 'company',
    company: 'path',
    agents: 'own_company',
    scope: 'agents:read',
    operators: 'viewer',
  },
});
