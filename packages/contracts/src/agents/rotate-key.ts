import { z } from 'zod';
import { routeContract } from '../route-contract.ts';
import { secretHeaders } from '../secret-headers.ts';
import { apiKeyParams, createdApiKey } from './api-key.ts';

export const rotateKeyContract = routeContract({
  operationId: 'rotateKey',
  service: 'agents',
  method: 'post',
  path: '/api/agents/{agentId}/keys/{keyId}/rotate',
  tag: 'Keys',
  summary: 'Replace an API key',
  description:
    'The new key has the name, the scopes and the expiry of the old one, which ends after the overlap: at once by ' +
    'default, at most a week. During an overlap both count as active. Runs of the old key go on until their ' +
    'tokens expire; the new key may renew them. If the old key leaked, revoke it as well.',
  params: apiKeyParams,
  body: z.strictObject({ overlapSeconds: z.int().min(0).max(604_800).default(0) }),
  responses: {
    201: {
      description: 'The new key with its value',
      schema: createdApiKey,
      headers: secretHeaders,
    },
  },
  errors: ['not_found', 'key_not_live', 'key_limit', 'agent_terminated', 'company_archived'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'never',
    operators: 'operator',
    entities: { agentId: 'agent', keyId: 'key' },
  },
});
