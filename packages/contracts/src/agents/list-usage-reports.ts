import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { runParams } from './run.ts';
import { usageReport } from './usage-report.ts';

export const listUsageReportsContract = routeContract({
  operationId: 'listUsageReports',
  service: 'agents',
  method: 'get',
  path: '/api/runs/{runId}/usage',
  tag: 'Runs',
  summary: 'List what a run has reported',
  description: 'Newest first. Reports are kept for 90 days; the run keeps their sums.',
  params: runParams,
  query: z.object(pageQuery),
  responses: { 200: { description: 'One page of reports', schema: pageOf(usageReport) } },
  errors: ['not_found'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'own_company',
    scope: 'agents:read',
    operators: 'viewer',
    entities: { runId: 'run' },
  },
});
