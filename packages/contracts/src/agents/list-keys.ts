import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { agentParams } from './agent.ts';
import { apiKey } from './api-key.ts';

export const listKeysContract = routeContract({
  operationId: 'listKeys',
  service: 'agents',
  method: 'get',
  path: '/api/agents/{agentId}/keys',
  tag: 'Keys',
  summary: 'List the API keys of an agent',
  description: 'Newest first, including revoked and expired ones, without their values.',
  params: agentParams,
  query: z.object(pageQuery),
  responses: { 200: { description: 'One page of keys', schema: pageOf(apiKey) } },
  errors: ['not_found'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'never',
    operators: 'viewer',
    entities: { agentId: 'agent' },
  },
});
