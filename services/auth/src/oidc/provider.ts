import { createLimiter } from '@commonplace/concurrency';
import { AppError } from '@commonplace/contracts/core';
import { jwtVerify } from 'jose';
import * as client from 'openid-client';
import { asProviderError } from './as-provider-error.ts';
import {
  createDiscovery,
  type DiscoveredProvider,
  type ProviderSettings,
} from './discovered-provider.ts';
import { readClaims, type ProvenIdentity } from './read-claims.ts';
import {
  clockToleranceSeconds,
  verifyLogoutToken,
  type LogoutToken,
} from './verify-logout-token.ts';

/** The secrets of one attempt, which only its cookie holds. */
export type AttemptChecks = {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The operator has to prove at the provider who they are, even with a session there. */
  readonly isFresh: boolean;
};

/** A provider of OpenID Connect. All of its functions throw 503 `oidc_unavailable` while it is down. */
export type OidcProvider = {
  readonly issuer: string;
  readonly authorizationUrl: (checks: AttemptChecks) => Promise<string>;
  /** Exchanges the code of a callback; `query` is that of its URL. 403 `oidc_refused`. */
  readonly redeem: (query: string, checks: AttemptChecks) => Promise<ProvenIdentity>;
  /** Throws 400 `invalid_logout_token`. */
  readonly verifyLogoutToken: (token: string) => Promise<LogoutToken>;
  /** Where the browser ends its session at the provider; null if the provider has no such place. */
  readonly endSessionUrl: (idToken: string | null) => Promise<string | null>;
};

export type OidcOptions = ProviderSettings & {
  readonly scopes: string;
  /** The origin of this instance for browsers. */
  readonly publicUrl: string;
};

const callbackPath = '/api/auth/oidc/callback';

/** A provider that is slow must not collect requests without end. */
const runningMax = 16;
const waitingMax = 64;

/** Creates the client of a provider. It sends nothing before the first sign-in. */
export const createOidcProvider = (options: OidcOptions): OidcProvider => {
  const { issuer, clientId, scopes, publicUrl } = options;
  const discover = createDiscovery(options);
  const runLimited = createLimiter({ runningMax, waitingMax, rejection: busyError });
  const callbackUrl = `${publicUrl}${callbackPath}`;
  const withProvider = <Result>(use: (provider: DiscoveredProvider) => Promise<Result>) =>
    runLimited(async () => {
      try {
        return await use(await discover());
      } catch (error) {
        throw asProviderError(error);
      }
    });

  return {
    issuer,
    authorizationUrl: (checks) =>
      withProvider((provider) => authorizationUrl(provider, { callbackUrl, scopes, checks })),
    redeem: (query, checks) =>
      withProvider((provider) =>
        redeem(provider, { callback: new URL(`${callbackUrl}?${query}`), clientId, checks }),
      ),
    verifyLogoutToken: (token) =>
      withProvider(({ metadata, keys }) =>
        verifyLogoutToken(token, { keys, issuer: metadata.issuer, audience: clientId }),
      ),
    endSessionUrl: (idToken) =>
      withProvider(async ({ configuration, metadata }) =>
        metadata.end_session_endpoint === undefined
          ? null
          : client
              .buildEndSessionUrl(configuration, {
                post_logout_redirect_uri: `${publicUrl}/login`,
                ...(idToken === null ? {} : { id_token_hint: idToken }),
              })
              .toString(),
      ),
  };
};

type Authorization = {
  readonly callbackUrl: string;
  readonly scopes: string;
  readonly checks: AttemptChecks;
};

const authorizationUrl = async (
  { configuration }: DiscoveredProvider,
  { callbackUrl, scopes, checks }: Authorization,
): Promise<string> =>
  client
    .buildAuthorizationUrl(configuration, {
      redirect_uri: callbackUrl,
      scope: scopes,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
      ...(checks.isFresh ? { prompt: 'login', max_age: '0' } : {}),
    })
    .toString();

type Redemption = {
  readonly callback: URL;
  readonly clientId: string;
  readonly checks: AttemptChecks;
};

const redeem = async (
  { configuration, metadata, keys }: DiscoveredProvider,
  { callback, clientId, checks }: Redemption,
): Promise<ProvenIdentity> => {
  const tokens = await client.authorizationCodeGrant(configuration, callback, {
    expectedState: checks.state,
    expectedNonce: checks.nonce,
    pkceCodeVerifier: checks.codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  const idToken = tokens.id_token;
  if (!claims || idToken === undefined) {
    throw new Error('The provider sent no ID token');
  }
  // The library trusts the connection to the token endpoint; the signature is verified as well.
  await jwtVerify(idToken, keys, {
    issuer: metadata.issuer,
    audience: clientId,
    clockTolerance: clockToleranceSeconds,
  });
  // A provider that could send the time, and does not, may have ignored `prompt=login`.
  const hasTime = metadata.claims_supported?.includes('auth_time') ?? false;
  if (checks.isFresh && hasTime && claims.auth_time === undefined) {
    throw new Error('The provider does not say when the person signed in (auth_time)');
  }
  const needsUserInfo = claims['email'] === undefined && metadata.userinfo_endpoint;
  const info = needsUserInfo
    ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    : {};
  return readClaims({ ...info, ...claims }, idToken);
};

const busyError = () =>
  new AppError('busy', 'Too many sign-ins wait for the identity provider; retry after 2 s.', {
    headers: { 'Retry-After': '2' },
  });
