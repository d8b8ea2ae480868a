import { z } from 'zod';
import { routeContract } from '../route-contract.ts';
import { sessionMembership } from './get-session.ts';
import { signedInOperator } from './operator.ts';
import { newPassword } from './password.ts';
import { oneTimeToken, operatorName } from './set-up.ts';

/** Accepts an invite; creates an account for a new e-mail. */
export const acceptInviteContract = routeContract({
  operationId: 'acceptInvite',
  service: 'auth',
  method: 'post',
  path: '/api/auth/invites/accept',
  tag: 'Sessions',
  summary: 'Accept an invite into a company',
  description:
    'An e-mail without an account needs `name` and `password`; the account is created and signed ' +
    'in. An existing account must be signed in, otherwise 401 `sign_in_first`: the token alone ' +
    'never opens an account. Where a second factor is required, that session needs one: 403 ' +
    '`second_factor_enrolment_required`.',
  body: z.strictObject({
    token: oneTimeToken,
    name: operatorName.optional(),
    password: newPassword.optional(),
  }),
  responses: {
    200: {
      description: 'The operator and its new membership',
      schema: z.object({ operator: signedInOperator, membership: sessionMembership }),
      headers: {
        'Set-Cookie': { description: 'The session cookie of a new account', isOptional: true },
      },
    },
  },
  errors: [
    'invalid_one_time_token',
    'login_throttled',
    'sign_in_first',
    'second_factor_enrolment_required',
    'already_member',
    'weak_password',
    'local_login_disabled',
    'local_trusted',
    'busy',
    'service_unavailable',
  ],
  access: {
    kind: 'public',
    reason: 'an invited operator may have no account yet; the invite token is checked',
  },
});
