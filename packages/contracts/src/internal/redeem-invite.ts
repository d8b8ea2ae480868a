import { z } from 'zod';
import { operatorId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { grantList } from '../grants.ts';
import { membership } from './list-memberships.ts';
import { tokenDigest } from './find-invite.ts';

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
  access: { kind: 'service', callers: ['auth'] },
});
