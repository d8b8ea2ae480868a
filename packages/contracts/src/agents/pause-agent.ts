import { routeContract } from '../route-contract.ts';
import { agent, agentParams } from './agent.ts';

export const pauseAgentContract = routeContract({
  operationId: 'pauseAgent',
  service: 'agents',
  method: 'post',
  path: '/api/agents/{agentId}/pause',
  tag: 'Agents',
  summary: 'Pause an agent',
  description:
    'Cancels its running runs. Its keys can still read; writes and new runs are 409 `agent_paused`. ' +
    'Pausing a paused agent changes nothing.',
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
