import { z } from 'zod';
import { byServices } from '../access.ts';
import { timestamp } from '../common.ts';
import { agentId, companyId, runId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';

/** Agents → auth: sign a run JWT (docs/contract.md, "Runs and run JWTs"). */
export const issueRunTokenContract = routeContract({
  operationId: 'issueRunToken',
  service: 'auth',
  method: 'post',
  path: '/internal/run-tokens',
  tag: 'Internal',
  summary: 'Issue the JWT of a run',
  body: z.strictObject({ runId, agentId, companyId, ttlSeconds: z.int().min(1).max(3600) }),
  responses: {
    201: {
      description: 'The token',
      schema: z.object({ token: z.string(), expiresAt: timestamp }),
    },
  },
  errors: [],
  access: byServices('agents'),
});
