import { z } from 'zod';
import { role } from '../caller-roles.ts';
import { email, lineOfText, plainText } from '../common.ts';
import { grantList } from '../grants.ts';
import { routeContract } from '../route-contract.ts';
import { signedInOperator } from './operators.ts';
import { newPassword } from './passwords.ts';
import { sessionMembership } from './sessions.ts';

/** An operator's name. */
export const operatorName = lineOfText(1, 200);

/** A one-time token of a link. */
export const oneTimeToken = plainText(1, 256);

/** Creates the first operator. */
export const setUpContract = routeContract({
  operationId: 'setUp',
  service: 'auth',
  method: 'post',
  path: '/api/auth/setup',
  tag: 'Sessions',
  summary: 'Create the first operator',
  description:
    'Requires the token of the setup link that the server printed at startup. The first operator is ' +
    'an administrator, gets the companies of the local board operator, and is signed in. ' +
    'Afterwards: 409 `already_set_up`.',
  body: z.strictObject({ token: oneTimeToken, email, name: operatorName, password: newPassword }),
  responses: {
    201: {
      description: 'Created and signed in',
      schema: z.object({ operator: signedInOperator }),
      headers: { 'Set-Cookie': { description: 'The session cookie' } },
    },
  },
  errors: [
    'invalid_one_time_token',
    'weak_password',
    'already_set_up',
    'operator_exists',
    'local_login_disabled',
    'local_trusted',
    'busy',
  ],
  access: {
    kind: 'public',
    reason: 'there is no operator yet; the setup token is the credential',
  },
});

/** Says whether a setup link still works, before anybody fills in its form. */
export const checkSetupTokenContract = routeContract({
  operationId: 'checkSetupToken',
  service: 'auth',
  method: 'post',
  path: '/api/auth/setup/check',
  tag: 'Sessions',
  summary: 'Check the token of a setup link',
  description: 'Each start without a first operator makes a new token. Changes nothing.',
  body: z.strictObject({ token: oneTimeToken }),
  responses: { 204: { description: 'The token is valid' } },
  errors: ['invalid_one_time_token', 'already_set_up', 'local_login_disabled', 'local_trusted'],
  access: { kind: 'public', reason: 'there is no operator yet; the setup token is checked' },
});

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
    'and says nothing of whether the email has an account, unless the invite was used.',
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
          isUsed: z.boolean().meta({
            description: 'Whether somebody joined by it; only the same account can accept it again',
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

/** Accepts an invite; creates an account for a new email. */
export const acceptInviteContract = routeContract({
  operationId: 'acceptInvite',
  service: 'auth',
  method: 'post',
  path: '/api/auth/invites/accept',
  tag: 'Sessions',
  summary: 'Accept an invite into a company',
  description:
    'An email without an account needs `name` and `password`; the account is created and signed ' +
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
