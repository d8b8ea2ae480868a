import { z } from 'zod';
import { agentId, companyId, runId } from '../ids.ts';
import { agentStatus } from '../caller-roles.ts';
import { timestamp } from '../common.ts';
import { routeContract } from '../route-contract.ts';

/**
 * Gateway and notes → agents: is this run running? `run` is null if it is unknown, has ended or
 * expired, its agent is not active or its company is archived.
 */
export const verifyRunContract = routeContract({
  operationId: 'verifyRun',
  service: 'agents',
  method: 'post',
  path: '/internal/runs/verify',
  tag: 'Internal',
  summary: 'Look up a running run',
  body: z.strictObject({ runId }),
  responses: {
    200: {
      description: 'The running run, or null',
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
