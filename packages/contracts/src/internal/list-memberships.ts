import { z } from 'zod';
import { companyId, operatorId } from '../ids.ts';
import { companyStatus, role } from '../caller-roles.ts';
import { routeContract } from '../route-contract.ts';

/** An operator's role in one company. */
export const membership = z.object({ companyId, companyName: z.string(), role, companyStatus });
export type Membership = z.infer<typeof membership>;

/**
 * Gateway and auth → agents: the companies of an operator, ordered by name.
 * Notes asks for work an operator left behind: who is disabled has no memberships for that. The gateway and
 * auth know by the session already. The local operator is an owner of every company. `companyId` asks for one company only.
 */
export const listMembershipsContract = routeContract({
  operationId: 'listMemberships',
  service: 'agents',
  method: 'post',
  path: '/internal/memberships/list',
  tag: 'Internal',
  summary: 'List the memberships of an operator',
  body: z.strictObject({
    operatorId,
    isLocal: z.boolean(),
    companyId: companyId.optional(),
    limit: z.int().min(1).max(200),
  }),
  responses: {
    200: {
      description: 'At most `limit` memberships; `isComplete` is false when there are more',
      schema: z.object({ memberships: z.array(membership), isComplete: z.boolean() }),
    },
  },
  errors: [],
  access: { kind: 'service', callers: ['gateway', 'auth', 'notes'] },
});
