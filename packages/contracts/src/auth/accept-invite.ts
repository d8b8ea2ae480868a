import { z } from 'zod';
import { routeContract } from '../route-contract.ts';
import { sessionMembership } from './get-session.ts';
import { signedInOperator } from './operator.ts';
import { newPassword } from './password.ts';
import { oneTimeToken, operatorName } from './set-up.ts';

/** Turns an invite into a membership, and a new e-mail into an operator. */
export const acceptInviteContract = routeContract({
  operationId: 'acceptInvite',
  service: 'auth',
  method: 'post',
  path: '/api/auth/invites/accept',
  tag: 'Sessions',
  summary: 'Accept an invite into a company',
  description:
    'For an e-mail without an account, `name` and `password` are required; the account is created and signed in. An existing account accepts only while signed in as it, else 401 `sign_in_first`: the token alone never opens one.',
  body: z.strictObject({
    token: oneTimeToken,
    name: operatorName.optional(),
    password: newPassword.optional(),
  }),
  responses: {
    200: {
      description: 'A member now',
      schema: z.object({ operator: signedInOperator, membership: sessionMembership }),
      headers: {
        'Set-Cookie': { description: 'The session cookie of a new account', isOptional: true },
      },
    },
  },
  errors: [
    'invalid_one_time_token',
    'sign_in_first',
    'already_member',
    'weak_password',
    'local_trusted',
    'busy',
    'service_unavailable',
  ],
  access: {
    kind: 'public',
    reason: 'an invited operator may have no account yet; the invite token is checked',
  },
});
