import { z } from 'zod';
import { agentId, companyId, runId } from '../ids.ts';
import { agentStatus } from '../caller-roles.ts';
import { timestamp } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { noteGrant } from '../grants.ts';
import { scope } from '../scopes.ts';

const verifiedRun = z.object({
  runId,
  agentId,
  companyId,
  agentName: z.string(),
  agentStatus,
  tokenExpiresAt: timestamp,
});

/**
 * Gateway and notes → agents: is this run running? `run` is null if it is unknown, has ended or
 * expired, its agent is not active or its company is archived. A run with fewer than all scopes is in
 * `scopedRun`, one with grants in `grantedRun` instead; see `verifyKeyContract`.
 */
export const verifyRunContract = routeContract({
  operationId: 'verifyRun',
  service: 'agents',
  method: 'post',
  path: '/internal/runs/verify',
  tag: 'Internal',
  summary: 'Look up a running run',
  body: z.strictObject({
    runId,
    /** Also report a run that ended within the last hour. */
    includeEnded: z.boolean().optional(),
  }),
  responses: {
    200: {
      description: 'The running run, or null',
      schema: z.object({
        run: verifiedRun.nullable(),
        scopedRun: verifiedRun.extend({ scopes: z.array(scope) }).optional(),
        /** `scopes` null: all. */
        grantedRun: verifiedRun
          .extend({ scopes: z.array(scope).nullable(), grants: z.array(noteGrant) })
          .optional(),
        /** `scopes` null: all. It is good for nothing but repeating reports of usage. */
        endedRun: verifiedRun
          .extend({ scopes: z.array(scope).nullable(), endedAt: timestamp })
          .optional(),
      }),
    },
  },
  errors: [],
  access: { kind: 'service', callers: ['gateway'] },
});
