import { z } from 'zod';
import { operatorId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';

/**
 * Auth → agents: transfers the memberships of the local board operator to the first operator.
 * Idempotent.
 */
export const transferLocalMembershipsContract = routeContract({
  operationId: 'transferLocalMemberships',
  service: 'agents',
  method: 'post',
  path: '/internal/memberships/adopt-local',
  tag: 'Internal',
  summary: 'Transfer the memberships of the local operator to the first operator',
  body: z.strictObject({
    operator: z.strictObject({ id: operatorId, email: z.string(), name: z.string() }),
  }),
  responses: {
    200: {
      description: 'The number of memberships transferred',
      schema: z.object({ adopted: z.int() }),
    },
  },
  errors: [],
  access: { kind: 'service', callers: ['auth'] },
});
