import { z } from 'zod';
import { routeContract } from '../route-contract.ts';
import { requestedGrants } from '../grants.ts';
import { requestedScopes } from '../scopes.ts';
import { secretHeaders } from '../secret-headers.ts';
import { agentParams } from './agent.ts';
import { apiKeyName, createdApiKey } from './api-key.ts';

/** A time as clients send it: RFC 3339 with any offset. */
const moment = z.iso
  .datetime({ offset: true })
  .meta({ description: 'RFC 3339; must be in the future. Absent or null: never' });

export const createKeyContract = routeContract({
  operationId: 'createKey',
  service: 'agents',
  method: 'post',
  path: '/api/agents/{agentId}/keys',
  tag: 'Keys',
  summary: 'Create an API key for an agent',
  description:
    'The response contains the key; its value cannot be read again. An agent has at most ten active ' +
    'keys. A key with all scopes, in a company without an active one, needs a sign-in of the last 15 ' +
    'minutes.',
  params: agentParams,
  body: z.strictObject({
    name: apiKeyName,
    expiresAt: moment.nullable().default(null),
    scopes: requestedScopes
      .optional()
      .meta({ description: 'What the key may do; all by default. Cannot be changed later' }),
    grants: requestedGrants.nullable().optional(),
  }),
  responses: {
    201: {
      description: 'The key with its value',
      schema: createdApiKey,
      headers: secretHeaders,
    },
  },
  errors: [
    'not_found',
    'reauthentication_required',
    'key_limit',
    'agent_terminated',
    'company_archived',
  ],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'never',
    operators: 'operator',
    entities: { agentId: 'agent' },
  },
});
