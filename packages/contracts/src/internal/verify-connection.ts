import { z } from 'zod';
import { connectionClient } from '../agents/connection.ts';
import { agentStatus } from '../caller-roles.ts';
import { timestamp } from '../common.ts';
import { agentId, companyId, connectionId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { noteGrant } from '../grants.ts';
import { connectionResource, scope } from '../scopes.ts';

const verifiedConnection = z.object({
  connectionId,
  agentId,
  companyId,
  agentName: z.string(),
  agentStatus,
  expiresAt: timestamp,
  scopes: z.array(scope),
  resource: connectionResource,
  client: connectionClient.pick({ name: true, host: true }),
});

/**
 * Gateway → agents: the agent of an access token of a connection, by its digests as in `verifyKeyContract`. Null for
 * unknown and expired tokens, connections that have ended, terminated agents, archived companies, and operators who are
 * disabled or no longer members. `scopes` are those that the operator's present role allows. A connection with grants is in
 * `grantedConnection` instead: a gateway of a release without grants rejects it.
 */
export const verifyConnectionContract = routeContract({
  operationId: 'verifyConnection',
  service: 'agents',
  method: 'post',
  path: '/internal/connections/verify',
  tag: 'Internal',
  summary: 'Look up an access token of a connection by its digest',
  body: z.strictObject({
    digests: z
      .array(z.string().regex(/^[0-9a-f]{64}$/))
      .min(1)
      .max(8),
  }),
  responses: {
    200: {
      description: 'The agent of the connection, or null',
      schema: z.object({
        connection: verifiedConnection.nullable(),
        grantedConnection: verifiedConnection.extend({ grants: z.array(noteGrant) }).optional(),
      }),
    },
  },
  errors: [],
  access: { kind: 'service', callers: ['gateway'] },
});
