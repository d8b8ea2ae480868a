import { routeContract } from '../route-contract.ts';
import { agent, createAgentBody } from './agent.ts';
import { companyParams } from './company.ts';

export const createAgentContract = routeContract({
  operationId: 'createAgent',
  service: 'agents',
  method: 'post',
  path: '/api/companies/{companyId}/agents',
  tag: 'Agents',
  summary: 'Create an agent',
  params: companyParams,
  body: createAgentBody,
  responses: { 201: { description: 'The new agent', schema: agent } },
  errors: [
    'agent_limit',
    'manager_not_in_company',
    'manager_terminated',
    'chain_too_deep',
    'company_archived',
  ],
  access: { kind: 'company', company: 'path', agents: 'never', operators: 'operator' },
});
