import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
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
    'Runs of all agents, newest first; all states unless `status` names one. `running` counts whatever the page.',
  params: companyParams,
  query: z.object({
    ...pageQuery,
    status: runStatus.optional(),
  }),
  responses: {
    200: {
      description: 'One page of runs',
      schema: pageOf(run).extend({
        running: z.int().meta({ description: 'How many runs of the company are running now' }),
      }),
    },
  },
  errors: [],
  access: { kind: 'company', company: 'path', agents: 'own_company', operators: 'viewer' },
});
