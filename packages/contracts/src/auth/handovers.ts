import { z } from 'zod';
import { byAdministrators } from '../access.ts';
import { timestamp } from '../common.ts';
import { operatorId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { signedInOperator } from './operators.ts';
import { newPassword } from './passwords.ts';
import { oneTimeToken } from './accounts.ts';

/** What was taken from an account, so that nobody who had access keeps it. */
export const evicted = z
  .object({
    sessions: z.int().meta({ description: 'Sessions that ended' }),
    passkeys: z.int(),
    identities: z.int().meta({ description: 'Linked identities of single sign-on' }),
    authenticatorApp: z.boolean().meta({ description: 'Whether there was one' }),
    password: z.boolean().meta({ description: 'Whether the account lost a password' }),
  })
  .meta({ id: 'Evicted', description: 'What was removed from an account' });
export type Evicted = z.infer<typeof evicted>;

/** Hands an account to the person whose email it has. */
export const beginHandoverContract = routeContract({
  operationId: 'beginHandover',
  service: 'auth',
  method: 'post',
  path: '/api/auth/operators/{operatorId}/handover',
  tag: 'Operators',
  summary: 'Hand an account to its person',
  description:
    'For an account that another person may have set up or taken. Its sessions, password, passkeys, ' +
    'identities and factors are removed within a second. The `token` takes the account once, within 7 ' +
    'days; give it to the person, and to nobody else. With single sign-on the next sign-in with the same verified ' +
    'email takes it as well. Memberships and the administrator flag stay. Needs a sign-in of ' +
    'the last 15 minutes; your own account is 409 `own_account`. Repeating it replaces the token.',
  params: z.object({ operatorId }),
  responses: {
    201: {
      description: 'Begun',
      schema: z.object({
        token: z.string().meta({ description: 'Shown only now' }),
        url: z.string().meta({ description: 'The link with the token' }),
        expiresAt: timestamp,
        evicted,
      }),
      headers: { 'Cache-Control': { description: '`no-store`', value: 'no-store' } },
    },
  },
  errors: ['not_found', 'own_account', 'reauthentication_required', 'local_trusted', 'busy'],
  access: byAdministrators,
});

/** Says whose account a handover is, before anybody takes it. */
export const describeHandoverContract = routeContract({
  operationId: 'describeHandover',
  service: 'auth',
  method: 'post',
  path: '/api/auth/handovers/describe',
  tag: 'Sessions',
  summary: 'Read whose account a handover is',
  description: 'For the page where it is taken: the email of the account. Changes nothing.',
  body: z.strictObject({ token: oneTimeToken }),
  responses: {
    200: {
      description: 'The handover',
      schema: z
        .object({ email: z.string() })
        .meta({ id: 'HandoverDescription', description: 'Whose account a handover is' }),
    },
  },
  errors: ['invalid_one_time_token', 'login_throttled', 'local_trusted'],
  access: { kind: 'public', reason: 'the person has no credential yet; the token is checked' },
});

/** Takes an account by its handover. */
export const acceptHandoverContract = routeContract({
  operationId: 'acceptHandover',
  service: 'auth',
  method: 'post',
  path: '/api/auth/handovers/accept',
  tag: 'Sessions',
  summary: 'Take an account that was handed to you',
  description:
    'Sets the password of the account and signs in. The token is that of a link from an ' +
    'administrator; it works once.',
  body: z.strictObject({ token: oneTimeToken, password: newPassword }),
  responses: {
    200: {
      description: 'Taken and signed in',
      schema: z.object({ operator: signedInOperator }),
      headers: { 'Set-Cookie': { description: 'The session cookie' } },
    },
  },
  errors: [
    'invalid_one_time_token',
    'invalid_credentials',
    'weak_password',
    'local_login_disabled',
    'local_trusted',
    'busy',
  ],
  access: { kind: 'public', reason: 'the person has no credential yet; the token is checked' },
});
