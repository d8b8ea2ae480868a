import { z } from 'zod';
import { timestamp } from '../common.ts';
import { connectionId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { connectionResource } from '../scopes.ts';

/** An access token of a connection, `cpc_…`; only its HMAC is stored. */
export const connectionToken = z.string().regex(/^cpc_[0-9A-Za-z]{49}$/);

/** Auth → agents: a connection has a new access token. 409 `connection_ended` once the connection has ended. */
export const issueConnectionTokenContract = routeContract({
  operationId: 'issueConnectionToken',
  service: 'agents',
  method: 'post',
  path: '/internal/connections/issue-token',
  tag: 'Internal',
  summary: 'Store an access token of a connection',
  body: z.strictObject({
    connectionId,
    token: connectionToken,
    expiresAt: timestamp,
    resource: connectionResource.default('/connect/mcp'),
  }),
  responses: { 200: { description: 'The token is valid', schema: z.object({}) } },
  errors: ['not_found', 'connection_ended'],
  access: { kind: 'service', callers: ['auth'] },
});
