import { z } from 'zod';
import { companyId, inviteId, operatorId } from '../ids.ts';
import { role } from '../caller-roles.ts';
import { grantList } from '../grants.ts';
import { routeContract } from '../route-contract.ts';

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
          })
          .nullable(),
      }),
    },
  },
  errors: [],
  access: { kind: 'service', callers: ['auth'] },
});
