import { z } from 'zod';
import { byOneself } from '../access.ts';
import { email, timestamp } from '../common.ts';
import { operatorId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { signedInOperator } from './operators.ts';
import { passwordText } from './passwords.ts';

/** How a session was signed in; by setup and by invite, an operator chooses a password. */
export const sessionMethod = z.enum(['password', 'oidc', 'passkey']);
export type SessionMethod = z.infer<typeof sessionMethod>;

/** How an operator signed in; `totp` and `recovery_code` come after the password. */
export const signInMethod = z.enum([
  'password',
  'setup',
  'invite',
  'oidc',
  'passkey',
  'totp',
  'recovery_code',
  'handover',
]);
export type SignInMethod = z.infer<typeof signInMethod>;

export const signInOutcome = z.enum(['success', 'failure']);
export type SignInOutcome = z.infer<typeof signInOutcome>;

/** Why a sign-in failed, where that is a sign of an attack. */
export const signInReason = z.enum(['passkey_counter']);
export type SignInReason = z.infer<typeof signInReason>;

/** An entry of the sign-in history. */
export const signIn = z
  .object({
    id: z.string().meta({ format: 'uuid' }),
    at: timestamp,
    operatorId: operatorId.nullable().meta({ description: 'Null if no account has the email' }),
    email: z.string(),
    method: signInMethod,
    outcome: signInOutcome,
    reason: signInReason.nullable().meta({
      description:
        '`passkey_counter`: the counter of a passkey went back, so a copy of it may be in use',
    }),
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
  })
  .meta({ id: 'SignIn', description: 'A sign-in that succeeded or failed' });
export type SignIn = z.input<typeof signIn>;

/** Returns what is configured, for the sign-in page. */
export const getSignInOptionsContract = routeContract({
  operationId: 'getSignInOptions',
  service: 'auth',
  method: 'get',
  path: '/api/auth/sign-in-options',
  tag: 'Sessions',
  summary: 'Read how operators of this instance sign in',
  description: 'Reveals nothing about accounts, except whether the first one exists.',
  responses: {
    200: {
      description: 'What is configured',
      schema: z
        .object({
          localLogin: z.boolean().meta({ description: 'Email and password are accepted' }),
          oidc: z
            .object({ name: z.string().meta({ description: 'The label of the button' }) })
            .nullable()
            .meta({ description: 'The provider of single sign-on; null: none' }),
          isSetUp: z.boolean().meta({ description: 'The first operator has been created' }),
          passkeyOrigin: z.string().nullable().meta({
            description: 'The only origin at which passkeys work; null: they work nowhere',
          }),
        })
        .meta({ id: 'SignInOptions' }),
    },
  },
  errors: [],
  access: { kind: 'public', reason: 'the sign-in page reads it before anybody is signed in' },
});

/** Starts a session. The only response that sets a session cookie for an existing account. */
export const logInContract = routeContract({
  operationId: 'logIn',
  service: 'auth',
  method: 'post',
  path: '/api/auth/login',
  tag: 'Sessions',
  summary: 'Sign in with email and password',
  description:
    'Starts a session and sets its cookie. An unknown email, a disabled account and a wrong ' +
    'password get the same response in the same time. Failed attempts are limited: 5 for one ' +
    'account from one address, then a delay that doubles up to 15 minutes; 30 a minute from one ' +
    'address (IPv6: one /64); 100 an hour for one account. They are counted before the password is ' +
    'checked, over all replicas; a successful sign-in does not count. With ' +
    'an authenticator app, the right password is 401 `second_factor_required` with a `challenge`.',
  body: z.strictObject({ email, password: passwordText }),
  responses: {
    200: {
      description: 'Signed in',
      schema: z.object({ operator: signedInOperator }),
      headers: {
        'Set-Cookie': {
          description: 'The session cookie: HttpOnly, SameSite=Strict; Secure under https',
        },
      },
    },
  },
  errors: [
    'invalid_credentials',
    'second_factor_required',
    'login_throttled',
    'local_login_disabled',
    'local_trusted',
    'busy',
  ],
  access: { kind: 'public', reason: 'a caller signing in has no credential yet' },
});

/** Ends the session of the request. */
export const logOutContract = routeContract({
  operationId: 'logOut',
  service: 'auth',
  method: 'post',
  path: '/api/auth/logout',
  tag: 'Sessions',
  summary: 'Sign out',
  description:
    'Ends the session of this request and clears its cookie. Every replica rejects it within a ' +
    'second. After a sign-in through a provider that offers it, the response is 200 and says where ' +
    'to sign out there. Does nothing in local trusted mode, which has no sessions.',
  responses: {
    200: {
      description: 'Signed out here; the session at the provider ends where `endSessionUrl` leads',
      schema: z.object({
        endSessionUrl: z.url().meta({ description: 'Navigate there to sign out at the provider' }),
      }),
      headers: { 'Set-Cookie': { description: 'Clears the session cookie' } },
    },
    204: {
      description: 'Signed out',
      headers: {
        'Set-Cookie': {
          description: 'Clears the session cookie, if there is one',
          isOptional: true,
        },
      },
    },
  },
  errors: [],
  access: byOneself,
  duringEnrolment: true,
});
