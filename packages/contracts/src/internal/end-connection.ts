import { z } from 'zod';
import { connectionId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { connectionToken } from './issue-connection-token.ts';

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
  access: { kind: 'service', callers: ['auth'] },
});

/** Why the auth service ends a connection; the audit log has it as `because`. */
export const connectionEndReason = z.enum([
  'refresh_token_reused',
  'code_reused',
  'revoked_by_client',
  'consent_failed',
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
  access: { kind: 'service', callers: ['auth'] },
});
