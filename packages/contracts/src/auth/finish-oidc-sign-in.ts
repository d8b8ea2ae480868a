import { z } from 'zod';
import { routeContract } from '../route-contract.ts';

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
