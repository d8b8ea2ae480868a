import { routeContract } from '../route-contract.ts';
import { apiKeyParams } from './api-key.ts';

export const revokeKeyContract = routeContract({
  operationId: 'revokeKey',
  service: 'agents',
  method: 'delete',
  path: '/api/agents/{agentId}/keys/{keyId}',
  tag: 'Keys',
  summary: 'Revoke an API key',
  description:
    'The key and the tokens of its runs are rejected everywhere within a second, and the runs are cancelled. ' +
    'Revoking it again keeps the first time. Revoking a rotated key ends its runs.',
  params: apiKeyParams,
  responses: { 204: { description: 'The key is revoked' } },
  errors: ['not_found', 'company_archived'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'never',
    operators: 'operator',
    entities: { agentId: 'agent', keyId: 'key' },
  },
});
