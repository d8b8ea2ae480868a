import { z } from 'zod';
import { agentId, companyId, connectionId, keyId, runId } from '../ids.ts';
import { agentStatus, companyStatus } from '../caller-roles.ts';
import { routeContract } from '../route-contract.ts';
import { noteGrant } from '../grants.ts';
import { scope } from '../scopes.ts';

/**
 * Notes → agents: may the background work or the waiting request of this agent continue? Null when
 * the company has no such agent, or the given key, run or connection has ended. `scopes` is absent if that
 * credential has all, and `grants` if it reaches all notes.
 */
export const checkAgentContract = routeContract({
  operationId: 'checkAgent',
  service: 'agents',
  method: 'post',
  path: '/internal/agents/check',
  tag: 'Internal',
  summary: 'Read the state of an agent and its company',
  body: z.strictObject({
    companyId,
    agentId,
    keyId: keyId.optional(),
    runId: runId.optional(),
    connectionId: connectionId.optional(),
  }),
  responses: {
    200: {
      description: 'The states, or null',
      schema: z.object({
        agent: z
          .object({
            agentStatus,
            companyStatus,
            scopes: z.array(scope).optional(),
            grants: z.array(noteGrant).optional(),
          })
          .nullable(),
      }),
    },
  },
  errors: [],
  access: { kind: 'service', callers: ['notes'] },
});
