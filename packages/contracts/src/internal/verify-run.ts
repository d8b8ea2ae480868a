import { z } from 'zod';
import { agentId, companyId, runId } from '../ids.ts';
import { agentStatus } from '../caller-roles.ts';
import { timestamp } from '../common.ts';
import { routeContract } from '../route-contract.ts';

/**
 * Gateway → agents and notes → agents: is this run alive?
 * `run` is null when it is unknown, has ended or expired, its agent is not active or its company archived.
 */
export const verifyRunContract = routeContract({
  operationId: 'verifyRun',
  service: 'agents',
  method: 'post',
  path: '/internal/runs/verify',
  tag: 'Internal',
  summary: 'Tell whether a run is alive',
  body: z.strictObject({ runId }),
  responses: {
    200: {
      description: 'The living run, or null',
      schema: z.object({
        run: z
          .object({
            runId,
            agentId,
            companyId,
            agentName: z.string(),
            agentStatus,
            tokenExpiresAt: timestamp,
          })
          .nullable(),
      }),
    },
  },
  errors: [],
  access: { kind: 'service', callers: ['gateway'] },
});
