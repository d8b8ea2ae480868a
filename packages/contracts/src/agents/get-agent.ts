import { routeContract } from '../route-contract.ts';
import { agent, agentParams } from './agent.ts';

export const getAgentContract = routeContract({
  operationId: 'getAgent',
  service: 'agents',
  method: 'get',
  path: '/api/agents/{agentId}',
  tag: 'Agents',
  summary: 'Read an agent',
  params: agentParams,
  responses: { 200: { description: 'The agent', schema: agent } },
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
