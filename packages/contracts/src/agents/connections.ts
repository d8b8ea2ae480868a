import { z } from 'zod';
import { byOperators } from '../access.ts';
import { lineOfText, pageOf, pageQuery, timestamp } from '../common.ts';
import { grantList } from '../grants.ts';
import { agentId, companyId, connectionId, operatorId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { scopeList } from '../scopes.ts';
import { companyParams } from './companies.ts';
import { credentialFilter } from './keys.ts';

/** The limit of active connections per agent. Each consent adds one. */
export const activeConnectionsMax = 50;

export const connectionClient = z
  .object({
    id: z.string().min(1).max(2048).meta({ description: 'The `client_id` of OAuth' }),
    name: lineOfText(1, 200).meta({
      description: 'The name it gives itself, which nobody checked',
    }),
    host: lineOfText(1, 255).meta({ description: 'The host its consent was sent to' }),
  })
  .meta({ id: 'ConnectionClient', description: 'The client (host) of a connection' });
export type ConnectionClient = z.infer<typeof connectionClient>;

export const connection = z
  .object({
    id: connectionId,
    companyId,
    agentId,
    client: connectionClient,
    scopes: scopeList.meta({ description: 'What was consented to' }),
    grants: grantList,
    createdBy: z.object({ kind: z.literal('operator'), id: operatorId }),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().meta({ description: 'With a precision of one minute' }),
    expiresAt: timestamp.nullable(),
    revokedAt: timestamp.nullable(),
  })
  .meta({
    id: 'Connection',
    description:
      'A credential of one agent for one client of OAuth, by the consent of an operator. While that operator is a ' +
      'viewer it may read notes at most.',
  });
export type Connection = z.infer<typeof connection>;

/** The path of one connection. */
export const connectionParams = z.object({ connectionId });

export const listConnectionsContract = routeContract({
  operationId: 'listConnections',
  service: 'agents',
  method: 'get',
  path: '/api/companies/{companyId}/connections',
  tag: 'Connections',
  summary: 'List the connections of a company',
  description: 'Newest first, including revoked and expired ones unless a filter is given.',
  params: companyParams,
  query: z.object({ ...pageQuery, ...credentialFilter }),
  responses: { 200: { description: 'One page of connections', schema: pageOf(connection) } },
  errors: [],
  access: byOperators('viewer'),
});

export const getConnectionContract = routeContract({
  operationId: 'getConnection',
  service: 'agents',
  method: 'get',
  path: '/api/connections/{connectionId}',
  tag: 'Connections',
  summary: 'Read a connection',
  params: connectionParams,
  responses: { 200: { description: 'The connection', schema: connection } },
  errors: ['not_found'],
  access: byOperators('viewer', 'connectionId'),
});

export const revokeConnectionContract = routeContract({
  operationId: 'revokeConnection',
  service: 'agents',
  method: 'delete',
  path: '/api/connections/{connectionId}',
  tag: 'Connections',
  summary: 'Revoke a connection',
  description:
    'Its tokens are rejected everywhere within a second. Revoking it again keeps the first time. Viewers may revoke ' +
    'those that they consented to.',
  params: connectionParams,
  responses: { 204: { description: 'The connection is revoked' } },
  errors: ['not_found', 'role_insufficient', 'company_archived'],
  access: byOperators('viewer', 'connectionId'),
});
