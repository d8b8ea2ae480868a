import { z } from 'zod';
import { timestamp } from '../common.ts';
import { connectionId, keyId, runId } from '../ids.ts';
import { grantList } from '../grants.ts';
import { scopeList } from '../scopes.ts';
import { routeContract } from '../route-contract.ts';
import { agent } from './agent.ts';
import { connectionClient } from './connection.ts';

const credential = z
  .object({
    kind: z.enum(['run', 'key', 'connection']),
    keyId: keyId.optional(),
    runId: runId.optional(),
    connectionId: connectionId.optional(),
    client: connectionClient
      .pick({ name: true, host: true })
      .optional()
      .meta({ id: 'CallingClient', description: 'The client of the connection' }),
    scopes: scopeList,
    grants: grantList,
    expiresAt: timestamp.nullable(),
  })
  .meta({ id: 'AgentCredential', description: 'The credential of this request' });

export const getMeContract = routeContract({
  operationId: 'getMe',
  service: 'agents',
  method: 'get',
  path: '/api/agents/me',
  tag: 'Agents',
  summary: 'Read the calling agent',
  description: 'How an agent checks its identity. Operators get 403 `agent_only`.',
  responses: {
    200: {
      description: 'The calling agent and its credential',
      schema: agent
        .extend({ credential })
        .meta({ id: 'CallingAgent', description: 'An agent as it sees itself' }),
    },
  },
  errors: ['agent_only'],
  access: {
    kind: 'company',
    company: 'selected',
    agents: 'own_company',
    scope: 'any',
    operators: 'never',
  },
});
