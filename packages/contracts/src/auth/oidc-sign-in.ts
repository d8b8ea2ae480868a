import { z } from 'zod';
import { byOneself } from '../access.ts';
import { isStorableText, queryFlag } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { oneTimeToken } from './accounts.ts';

/** Of its JSON, in which quotes have two bytes. Several attempts fit into the headers of a request. */
const returnPathBytesMax = 1024;

/**
 * A path of our own origin: one slash, then neither a second one nor a backslash, which browsers read
 * as a host.
 */
export const returnPath = z
  .string()
  .max(1024)
  // Not as a pattern in the OpenAPI document: generators of clients do not escape its characters.
  .refine(
    (path) => /^\/(?:[^/\\\u0000-\u0020\u007f][^\\\u0000-\u0020\u007f]*)?$/.test(path),
    'must be a path of this site',
  )
  .refine(isStorableText, 'must be a path of this site')
  // A header holds ASCII only. Nothing else changes: a parser of URLs would remove dot segments.
  .transform((path) => path.replaceAll(/[^\u0021-\u007e]+/gu, encodeURIComponent))
  // The cookie of the attempt holds it as JSON, and browsers drop cookies of more than 4 KiB.
  .refine((path) => JSON.stringify(path).length <= returnPathBytesMax, 'must be shorter');

const attemptCookie = {
  'Set-Cookie': { description: 'The sealed attempt: HttpOnly, SameSite=Lax, for ten minutes' },
} as const;

/** Sends the browser to the provider. */
export const startOidcSignInContract = routeContract({
  operationId: 'startOidcSignIn',
  service: 'auth',
  method: 'get',
  path: '/api/auth/oidc/start',
  tag: 'Sessions',
  summary: 'Begin to sign in through the identity provider',
  description:
    'For browsers: redirects to the provider with state, nonce and PKCE, which a sealed cookie keeps ' +
    'for ten minutes. Several attempts at once work: four, or as many as fit into 6 KiB of cookies. Browsers (`Accept: text/html`) get refusals as a ' +
    'redirect to the sign-in page, with the code in `error`.',
  query: z.object({
    // The route checks that it is a `returnPath`, so that a browser gets a page.
    returnTo: z.string().optional().meta({
      description:
        'Where to go afterwards, a path of this site of at most 1,024 bytes as JSON; `/` by default',
    }),
    reauthenticate: queryFlag
      .optional()
      .meta({ description: 'The provider requests the password again, despite a session there' }),
  }),
  responses: {
    302: {
      description: 'To the provider',
      headers: { Location: { description: 'The provider' }, ...attemptCookie },
    },
    303: {
      description: 'A refusal, for browsers',
      headers: {
        Location: { description: 'The sign-in page with the code of the refusal' },
        'Set-Cookie': {
          description: 'As for 302, if the provider was not reached',
          isOptional: true,
        },
      },
    },
  },
  errors: ['not_found', 'local_trusted', 'oidc_unavailable', 'busy'],
  access: { kind: 'public', reason: 'a caller signing in has no credential yet' },
  attemptCookies: true,
});

const providerUrl = z.object({
  url: z.url().meta({ description: 'The address at the provider; navigate there' }),
});

/** Begins to accept an invite by an identity. */
export const startInviteSignInContract = routeContract({
  operationId: 'startInviteSignIn',
  service: 'auth',
  method: 'post',
  path: '/api/auth/invites/oidc',
  tag: 'Sessions',
  summary: 'Begin to accept an invite through the identity provider',
  description:
    'The invite is accepted when the provider confirms its email as verified. A new email gets an ' +
    'account; an existing account is never taken over.',
  body: z.strictObject({ token: oneTimeToken }),
  responses: {
    200: { description: 'Where to go', schema: providerUrl, headers: attemptCookie },
  },
  errors: [
    'invalid_one_time_token',
    'login_throttled',
    'not_found',
    'local_trusted',
    'oidc_unavailable',
    'busy',
  ],
  access: {
    kind: 'public',
    reason: 'an invited operator may have no account yet; the invite token is checked',
  },
  attemptCookies: true,
});

/** Begins to link an identity to the caller. */
export const linkIdentityContract = routeContract({
  operationId: 'linkIdentity',
  service: 'auth',
  method: 'post',
  path: '/api/auth/identities',
  tag: 'Sessions',
  summary: 'Begin to link an identity to your account',
  description:
    'Needs a sign-in of the last 15 minutes, also when the provider sends the browser back. An ' +
    'operator has at most 20 identities.',
  responses: {
    200: { description: 'Where to go', schema: providerUrl, headers: attemptCookie },
  },
  errors: [
    'reauthentication_required',
    'identity_limit',
    'not_found',
    'local_trusted',
    'oidc_unavailable',
    'busy',
  ],
  access: byOneself,
  attemptCookies: true,
});

/** Where the provider sends the browser back to. */
export const finishOidcSignInContract = routeContract({
  operationId: 'finishOidcSignIn',
  service: 'auth',
  method: 'get',
  path: '/api/auth/oidc/callback',
  tag: 'Sessions',
  summary: 'Finish signing in through the identity provider',
  description:
    'The redirect URI to register at the provider. Starts a session, or links the identity, if the ' +
    'browser has the cookie of the attempt; an attempt and a code work once. Parameters that the ' +
    'provider adds are ignored. Browsers (`Accept: text/html`) get refusals as a redirect to the ' +
    'sign-in page, with the code in `error`.',
  query: z.looseObject({
    state: z.string().max(512).optional(),
    code: z.string().max(4096).optional(),
    iss: z.string().max(1024).optional(),
    error: z.string().max(256).optional(),
  }),
  responses: {
    303: {
      description: 'Signed in or linked; for browsers also a refusal',
      headers: {
        Location: { description: 'Where the attempt was to return, or the sign-in page' },
        'Set-Cookie': {
          description: 'The session cookie; the cookie of the attempt is removed',
          isOptional: true,
        },
      },
    },
  },
  errors: [
    'oidc_attempt_invalid',
    'oidc_refused',
    'oidc_email_unverified',
    'oidc_not_linked',
    'oidc_account_exists',
    'invite_for_another_email',
    'invalid_one_time_token',
    'second_factor_enrolment_required',
    'already_member',
    'identity_linked',
    'identity_limit',
    'invalid_credentials',
    'session_expired',
    'reauthentication_required',
    'login_throttled',
    'not_found',
    'local_trusted',
    'oidc_unavailable',
    'busy',
    'service_unavailable',
  ],
  access: { kind: 'public', reason: 'a caller signing in has no credential yet' },
  attemptCookies: true,
});

/** Lets the provider end sessions. */
export const backchannelLogoutContract = routeContract({
  operationId: 'backchannelLogout',
  service: 'auth',
  method: 'post',
  path: '/api/auth/oidc/backchannel-logout',
  tag: 'Sessions',
  summary: 'End sessions on behalf of the identity provider',
  description:
    'OpenID Connect Back-Channel Logout 1.0. The sessions of the `sid` or subject of the logout token ' +
    'end within a second. A token works once.',
  body: z.object({ logout_token: z.string().min(1).max(15_000) }),
  bodyType: 'form',
  responses: { 200: { description: 'The sessions have ended, if there were any' } },
  errors: ['invalid_logout_token', 'not_found', 'local_trusted', 'oidc_unavailable', 'busy'],
  access: { kind: 'public', reason: 'the logout token is signed by the provider' },
});
