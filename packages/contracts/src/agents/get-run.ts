import { routeContract } from '../route-contract.ts';
import { run, runParams } from './run.ts';

export const getRunContract = routeContract({
  operationId: 'getRun',
  service: 'agents',
  method: 'get',
  path: '/api/runs/{runId}',
  tag: 'Runs',
  summary: 'Read a run',
  params: runParams,
  responses: { 200: { description: 'The run', schema: run } },
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
