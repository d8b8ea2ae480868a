import { z } from 'zod';
import { companyId, operatorId } from '../ids.ts';
import { companyStatus, role } from '../caller-roles.ts';
import { noteGrant } from '../grants.ts';
import { routeContract } from '../route-contract.ts';

/** An operator's role in one company. */
export const membership = z.object({ companyId, companyName: z.string(), role, companyStatus });
export type Membership = z.infer<typeof membership>;

/** The membership of a viewer who reaches some notes only. */
export const grantedMembership = membership.extend({ grants: z.array(noteGrant) });
export type GrantedMembership = z.infer<typeof grantedMembership>;

/**
 * Gateway, auth and notes → agents: the companies of an operator, ordered by name. For the notes
 * service, whose background work outlives sessions, a disabled operator has no memberships; gateway
 * and auth have checked the session. The local operator is an owner of every company. `companyId`
 * limits the list to one company. Memberships with grants are in `grantedMemberships`: callers of a release without grants
 * do not read them, and give no access.
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
      description:
        'At most `limit` memberships, of both kinds together; `isComplete` is false if there are more',
      schema: z.object({
        memberships: z.array(membership),
        grantedMemberships: z.array(grantedMembership).optional(),
        isComplete: z.boolean(),
      }),
    },
  },
  errors: [],
  access: { kind: 'service', callers: ['gateway', 'auth', 'notes'] },
});
