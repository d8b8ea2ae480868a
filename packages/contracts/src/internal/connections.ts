import { z } from 'zod';
import { byServices } from '../access.ts';
import { connectionClient } from '../agents/connections.ts';
import { lineOfText, timestamp } from '../common.ts';
import { requestedGrants } from '../grants.ts';
import { agentId, companyId, connectionId, operatorId, sessionId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { connectionResource, connectionScope, connectionScopes } from '../scopes.ts';

/**
 * Auth → agents: an operator consented to a connection. Operators of a company choose any agent, or create one;
 * viewers consent to `notes:read` of an existing one. All scopes, in a company without a credential that has them, need
 * a sign-in of the last 15 minutes in the session `sessionId`, which must be active. The local board operator has none.
 */
export const createConnectionContract = routeContract({
  operationId: 'createConnection',
  service: 'agents',
  method: 'post',
  path: '/internal/connections/create',
  tag: 'Internal',
  summary: 'Create a connection',
  body: z.strictObject({
    /** Makes a repetition safe: it returns the connection that an earlier attempt with the id made. */
    connectionId: connectionId.optional(),
    operatorId,
    sessionId: sessionId.optional(),
    companyId,
    agent: z.union([z.strictObject({ agentId }), z.strictObject({ name: lineOfText(1, 200) })]),
    scopes: z.array(connectionScope).min(1).max(connectionScopes.length),
    /** Absent or null: all notes of the agent. */
    grants: requestedGrants.nullable().optional(),
    expiresAt: timestamp.nullable(),
    client: z.strictObject(connectionClient.shape),
  }),
  responses: { 201: { description: 'The connection', schema: z.object({ connectionId }) } },
  errors: [
    'validation_failed',
    'not_found',
    'cross_company',
    'role_insufficient',
    'folder_not_granted',
    'reauthentication_required',
    'session_expired',
    'agent_terminated',
    'agent_limit',
    'connection_limit',
    'connection_ended',
    'company_archived',
  ],
  access: byServices('auth'),
});

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
  access: byServices('auth'),
});

/** Auth → agents: ends one access token of a connection, or all of them, but not the connection. Idempotent. */
export const endConnectionTokensContract = routeContract({
  operationId: 'endConnectionTokens',
  service: 'agents',
  method: 'post',
  path: '/internal/connections/end-tokens',
  tag: 'Internal',
  summary: 'End access tokens of a connection',
  body: z.strictObject({ connectionId, token: connectionToken.optional() }),
  responses: { 200: { description: 'The tokens have ended', schema: z.object({}) } },
  errors: [],
  access: byServices('auth'),
});

/** Why the auth service ends a connection; the audit log has it as `because`. */
export const connectionEndReason = z.enum([
  'refresh_token_reused',
  'code_reused',
  'revoked_by_client',
]);
export type ConnectionEndReason = z.infer<typeof connectionEndReason>;

/**
 * Auth → agents: ends a connection, for a reason that the audit log shows: its client revoked it, or a refresh token was
 * used twice. Idempotent; an unknown connection has ended.
 */
export const endConnectionContract = routeContract({
  operationId: 'endConnection',
  service: 'agents',
  method: 'post',
  path: '/internal/connections/end',
  tag: 'Internal',
  summary: 'End a connection',
  body: z.strictObject({ connectionId, reason: connectionEndReason }),
  responses: { 200: { description: 'The connection has ended', schema: z.object({}) } },
  errors: [],
  access: byServices('auth'),
});
