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
    'The runs of all agents, newest first, in any status unless `status` is given. `running` counts all ' +
    'running runs of the company.',
  params: companyParams,
  query: z.object({
    ...pageQuery,
    status: runStatus.optional(),
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
