import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { agentParams } from './agent.ts';
import { run } from './run.ts';

export const listRunsContract = routeContract({
  operationId: 'listRuns',
  service: 'agents',
  method: 'get',
  path: '/api/agents/{agentId}/runs',
  tag: 'Runs',
  summary: 'List the runs of an agent',
  description: 'Newest first.',
  params: agentParams,
  query: z.object(pageQuery),
  responses: { 200: { description: 'One page of runs', schema: pageOf(run) } },
  errors: ['not_found'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'own_company',
    scope: 'agents:read',
    operators: 'viewer',
    entities: { agentId: 'agent' },
  },
});
