import { routeContract } from '../route-contract.ts';
import { agent, agentParams, updateAgentBody } from './agent.ts';

export const updateAgentContract = routeContract({
  operationId: 'updateAgent',
  service: 'agents',
  method: 'patch',
  path: '/api/agents/{agentId}',
  tag: 'Agents',
  summary: 'Change an agent',
  description:
    'Takes any of the fields of the creation; what is absent stays. A circle in the chain of command ' +
    'is refused, also when two requests would make it together.',
  params: agentParams,
  body: updateAgentBody,
  responses: { 200: { description: 'The agent as it is now', schema: agent } },
  errors: [
    'not_found',
    'agent_terminated',
    'company_archived',
    'manager_cycle',
    'manager_not_in_company',
    'manager_terminated',
    'chain_too_deep',
  ],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'never',
    operators: 'operator',
    entities: { agentId: 'agent' },
  },
});
