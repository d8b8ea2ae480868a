import { routeContract } from '../route-contract.ts';
import { run, runParams } from './run.ts';

export const cancelRunContract = routeContract({
  operationId: 'cancelRun',
  service: 'agents',
  method: 'post',
  path: '/api/runs/{runId}/cancel',
  tag: 'Runs',
  summary: 'Cancel a run',
  description:
    'Its token is rejected within a second, and its cost is the larger of what it reserved and what it reported. Cancelling a ' +
    'cancelled run changes nothing.',
  params: runParams,
  responses: { 200: { description: 'The cancelled run', schema: run } },
  errors: ['not_found', 'run_finished', 'company_archived'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'never',
    operators: 'operator',
    entities: { runId: 'run' },
  },
});
