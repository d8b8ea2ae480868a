import { z } from 'zod';
import { role } from '../caller-roles.ts';
import { grantList } from '../grants.ts';
import { routeContract } from '../route-contract.ts';
import { oneTimeToken } from './set-up.ts';

/** Says what an invite is for, before anybody accepts it. */
export const describeInviteContract = routeContract({
  operationId: 'describeInvite',
  service: 'auth',
  method: 'post',
  path: '/api/auth/invites/describe',
  tag: 'Sessions',
  summary: 'Read what an invite is for',
  description:
    'For the page where it is accepted: the company, who invited whom, the role and the folders. Changes nothing, ' +
    'and says nothing of whether the e-mail has an account.',
  body: z.strictObject({ token: oneTimeToken }),
  responses: {
    200: {
      description: 'The invite',
      schema: z
        .object({
          companyName: z.string(),
          inviterName: z.string().nullable().meta({ description: 'Null: not known' }),
          email: z.string(),
          role,
          grants: grantList.meta({
            description: 'The folders whose notes a viewer will reach; null: all notes',
          }),
        })
        .meta({ id: 'InviteDescription', description: 'What an invite is for' }),
    },
  },
  errors: ['invalid_one_time_token', 'login_throttled', 'local_trusted', 'service_unavailable'],
  access: {
    kind: 'public',
    reason: 'an invited operator may have no account yet; the invite token is checked',
  },
});
