import { z } from 'zod';
import { byServices } from '../access.ts';
import { agentId, companyId, connectionId, keyId, operatorId, runId, undoId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';

/**
 * Notes → agents, when an operator takes back what an agent wrote: pauses the agent of a run or a key, if `pause`, and
 * records the undo in the audit log of the company, both in one transaction.
 */
export const stopSourceContract = routeContract({
  operationId: 'stopSource',
  service: 'agents',
  method: 'post',
  path: '/internal/sources/stop',
  tag: 'Internal',
  summary: 'Pause the agent whose changes are undone, and record the undo',
  body: z.strictObject({
    companyId,
    undoId,
    operator: z.object({ operatorId, name: z.string(), isLocal: z.boolean() }),
    source: z.object({
      runId: runId.optional(),
      keyId: keyId.optional(),
      connectionId: connectionId.optional(),
      agentId: agentId.optional(),
      undoId: undoId.optional(),
    }),
    pause: z.boolean(),
    /** Only finds out whose source it is: nothing is paused, and nothing recorded. */
    dryRun: z.boolean(),
  }),
  responses: {
    200: {
      description: 'The agent of the source; null: the source has none',
      schema: z.object({
        agentId: agentId.nullable(),
        /** False: it was paused or terminated before, or is not to be paused. */
        isPaused: z.boolean(),
        /** Of a dry run: whether the agent is active. */
        isActive: z.boolean().optional(),
      }),
    },
  },
  errors: ['not_found', 'cross_company', 'role_insufficient', 'company_archived'],
  access: byServices('notes'),
});
