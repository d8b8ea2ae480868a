import { routeContract } from '../route-contract.ts';
import { agent, agentParams } from './agent.ts';

export const resumeAgentContract = routeContract({
  operationId: 'resumeAgent',
  service: 'agents',
  method: 'post',
  path: '/api/agents/{agentId}/resume',
  tag: 'Agents',
  summary: 'Resume a paused agent',
  description:
    'Resuming an active agent changes nothing. 503 `busy` while its previous runs are still being ' +
    'cancelled.',
  params: agentParams,
  responses: { 200: { description: 'The agent', schema: agent } },
  errors: ['not_found', 'agent_terminated', 'company_archived'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'never',
    operators: 'operator',
    entities: { agentId: 'agent' },
  },
});
