import { randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { Api } from '../call-api.ts';
import { clientId, type IdentityProvider } from './identity-provider.ts';

/** The claims of a valid logout token. */
export const logoutClaims = (issuer: string, who: JWTPayload): JWTPayload => {
  const iat = Math.floor(Date.now() / 1000);
  return {
    iss: issuer,
    aud: clientId,
    iat,
    exp: iat + 120,
    jti: randomUUID(),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    ...who,
  };
};

/** Sends a logout token as a provider does. */
export const sendLogoutToken = (api: Api, token: string): ReturnType<Api> =>
  api('POST', '/api/auth/oidc/backchannel-logout', {
    raw: new URLSearchParams({ logout_token: token }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

/** Ends the sessions of a subject. */
export const endSessionsOf = async (
  api: Api,
  { issuer, sign }: IdentityProvider,
  subject: string,
): ReturnType<Api> =>
  sendLogoutToken(api, await sign(logoutClaims(issuer, { sub: subject }), { typ: 'logout+jwt' }));
