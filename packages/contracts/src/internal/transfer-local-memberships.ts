import { z } from 'zod';
import { operatorId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';

/** Auth → agents: the first operator takes over what the local board operator owned. Safe to repeat. */
export const transferLocalMembershipsContract = routeContract({
  operationId: 'transferLocalMemberships',
  service: 'agents',
  method: 'post',
  path: '/internal/memberships/adopt-local',
  tag: 'Internal',
  summary: 'Hand the memberships of the local operator to the first operator',
  body: z.strictObject({
    operator: z.strictObject({ id: operatorId, email: z.string(), name: z.string() }),
  }),
  responses: {
    200: { description: 'How many were handed over', schema: z.object({ adopted: z.int() }) },
  },
  errors: [],
  access: { kind: 'service', callers: ['auth'] },
});
