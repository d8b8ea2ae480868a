import { z } from 'zod';
import { connectionClient } from '../agents/connection.ts';
import { lineOfText, timestamp } from '../common.ts';
import { agentId, companyId, connectionId, operatorId, sessionId } from '../ids.ts';
import { requestedGrants } from '../grants.ts';
import { routeContract } from '../route-contract.ts';
import { connectionScope, connectionScopes } from '../scopes.ts';

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
    'company_archived',
  ],
  access: { kind: 'service', callers: ['auth'] },
});
