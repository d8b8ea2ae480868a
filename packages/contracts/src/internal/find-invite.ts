import { z } from 'zod';
import { companyId, inviteId } from '../ids.ts';
import { role } from '../caller-roles.ts';
import { routeContract } from '../route-contract.ts';

/** A one-time token as auth passes it on: hex SHA-256, never the token itself. */
export const tokenDigest = z.string().regex(/^[0-9a-f]{64}$/);

/** Auth → agents: what is this invite for? Null: unknown, withdrawn, expired, accepted by who is no member any more, or of an archived company. */
export const findInviteContract = routeContract({
  operationId: 'findInvite',
  service: 'agents',
  method: 'post',
  path: '/internal/invites/find',
  tag: 'Internal',
  summary: 'Look up a living invite by the digest of its token',
  body: z.strictObject({ tokenDigest }),
  responses: {
    200: {
      description: 'The living invite, or null',
      schema: z.object({
        invite: z
          .object({ inviteId, companyId, companyName: z.string(), email: z.string(), role })
          .nullable(),
      }),
    },
  },
  errors: [],
  access: { kind: 'service', callers: ['auth'] },
});
