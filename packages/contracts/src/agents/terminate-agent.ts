import { routeContract } from '../route-contract.ts';
import { agent, agentParams } from './agent.ts';

export const terminateAgentContract = routeContract({
  operationId: 'terminateAgent',
  service: 'agents',
  method: 'post',
  path: '/api/agents/{agentId}/terminate',
  tag: 'Agents',
  summary: 'Terminate an agent permanently',
  description:
    'Final: cancels its runs, revokes its keys, and its credentials are 401 from then on. Terminating it again changes nothing.',
  params: agentParams,
  responses: { 200: { description: 'The agent as it is now', schema: agent } },
  errors: ['not_found', 'company_archived'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'never',
    operators: 'operator',
    entities: { agentId: 'agent' },
  },
});
