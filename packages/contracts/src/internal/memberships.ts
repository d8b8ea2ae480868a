import { z } from 'zod';
import { byServices } from '../access.ts';
import { companyStatus, role } from '../caller-roles.ts';
import { grantList, noteGrant } from '../grants.ts';
import { companyId, inviteId, operatorId } from '../ids.ts';
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
        /** For the notes service: the access epoch of an active operator with an account; releases before do not say. */
        accessEpoch: z.int().optional(),
        /** When the membership of the given company began; absent without one, and from releases that do not say. */
        memberSince: z.string().optional(),
      }),
    },
  },
  errors: [],
  access: byServices('gateway', 'auth', 'notes'),
});

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
  access: byServices('auth'),
});

/** The hex SHA-256 of a one-time token; the token itself never leaves the auth service. */
export const tokenDigest = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * Auth → agents: the invite with this token. Null when it is unknown, deleted, expired, accepted by a
 * former member, or in an archived company.
 */
export const findInviteContract = routeContract({
  operationId: 'findInvite',
  service: 'agents',
  method: 'post',
  path: '/internal/invites/find',
  tag: 'Internal',
  summary: 'Look up an active invite by the digest of its token',
  body: z.strictObject({ tokenDigest }),
  responses: {
    200: {
      description: 'The active invite, or null',
      schema: z.object({
        invite: z
          .object({
            inviteId,
            companyId,
            companyName: z.string(),
            email: z.string(),
            role,
            // The release before sends neither.
            invitedBy: operatorId.optional(),
            grants: grantList.optional(),
            // Nor does it send this.
            isUsed: z.boolean().optional(),
          })
          .nullable(),
      }),
    },
  },
  errors: [],
  access: byServices('auth'),
});

/** Of a member that had joined before and was limited since, with grants; a release that knows none names none. */
const membershipOfInvite = membership.extend({ grants: grantList.optional() });

/**
 * Auth → agents: accepts an invite and makes the operator a member, in one transaction. Idempotent
 * for that operator.
 */
export const redeemInviteContract = routeContract({
  operationId: 'redeemInvite',
  service: 'agents',
  method: 'post',
  path: '/internal/invites/redeem',
  tag: 'Internal',
  summary: 'Turn an invite into a membership',
  body: z.strictObject({
    tokenDigest,
    operator: z.strictObject({ id: operatorId, email: z.string(), name: z.string() }),
  }),
  responses: {
    200: { description: 'The membership', schema: z.object({ membership: membershipOfInvite }) },
  },
  errors: ['invalid_one_time_token', 'already_member'],
  access: byServices('auth'),
});
