import { z } from 'zod';
import { isStorableText, queryFlag } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { oneTimeToken } from './set-up.ts';

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
  // The cookie of the attempt holds it, and browsers drop cookies of more than 4 KiB.
  .refine((path) => path.length <= 2048, 'must be shorter');

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
    'for ten minutes. Several attempts at once work. Browsers (`Accept: text/html`) get refusals as a ' +
    'redirect to the sign-in page, with the code in `error`.',
  query: z.object({
    // The route checks that it is a `returnPath`, so that a browser gets a page.
    returnTo: z.string().optional().meta({
      description: 'Where to go afterwards, a path of this site; `/` by default',
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
    'The invite is accepted when the provider confirms its e-mail as verified. A new e-mail gets an ' +
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
  access: { kind: 'caller', agents: false },
  attemptCookies: true,
});
