import { connectionScopes } from '@commonplace/contracts/core';
import { clientAddressHeader, makeConnectionToken } from '@commonplace/identity';
import type * as oidcProvider from 'oidc-provider';
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { createAdapter } from './adapter.ts';
import type { AdapterDeps, Exchange } from './adapter-deps.ts';
import { createDocumentFetch, type DocumentOptions } from './fetch-client-document.ts';
import { consentPolicy } from './consent-policy.ts';
import { cookieKeys, signingJwks } from './derive-keys.ts';
import { renderError } from './render-error.ts';
import { undoFailedExchanges } from './undo-failed-exchanges.ts';

export type ProviderOptions = Pick<AdapterDeps, 'db' | 'clock' | 'callAgents'> & {
  readonly issuer: string;
  /** The resources that tokens are for; the first where a client names none. */
  readonly resources: readonly [string, ...string[]];
  readonly secrets: readonly string[];
  readonly isHttps: boolean;
  readonly takesRegistrations: boolean;
  /** Clients may name themselves by the address of a metadata document. */
  readonly takesDocuments: boolean;
  /** Hosts whose metadata documents are read; empty: any. */
  readonly clientHosts: readonly string[];
  readonly allowsRemoteClients: boolean;
  /** Counts a metadata document that an address has read; false when it has read too many. */
  readonly countDocument: (address: string) => Promise<boolean>;
  readonly network?: DocumentOptions['network'];
  readonly cookieNames: { readonly interaction: string; readonly resume: string };
};

type Library = typeof oidcProvider;

const interactionSeconds = 60 * 60;
const accessTokenSeconds = 60 * 60;
const refreshTokenSeconds = 60 * 86_400;

/** Creates the OAuth server. The library is loaded at its first use: an instance that nobody connects to needs none of it. */
export const createProvider = async (options: ProviderOptions): Promise<Provider> => {
  const library = await import('oidc-provider');
  const exchangeOf = createExchanges();
  const deps = adapterDeps(options, library, exchangeOf);
  const provider = new library.Provider(options.issuer, configurationOf(options, library, deps));
  provider.proxy = true;
  undoFailedExchanges(provider, deps, exchangeOf);
  // Access tokens are connection tokens: secret scanners know them, and the gateway refuses mistyped ones unseen.
  Object.assign(provider.AccessToken.prototype, {
    generateTokenId(this: { format?: string }): string {
      this.format = 'opaque';
      return makeConnectionToken();
    },
  });
  return provider;
};

const configurationOf = (
  options: ProviderOptions,
  library: Library,
  deps: AdapterDeps,
): Configuration => ({
  adapter: createAdapter(deps),
  ...protocolOf(options, library),
  ...clientsOf(options),
  cookies: {
    keys: cookieKeys(options.secrets),
    // The session of the library is never sent: the gateway forwards the other two cookies only.
    names: { ...options.cookieNames, session: 'commonplace.unused' },
    short: { httpOnly: true, sameSite: 'lax', signed: true, secure: options.isHttps },
    long: { httpOnly: true, sameSite: 'lax', signed: true, secure: options.isHttps },
  },
  jwks: { keys: signingJwks(options.secrets) },
  ttl: {
    AccessToken: accessTokenSeconds,
    AuthorizationCode: 60,
    Grant: () => 60,
    Interaction: interactionSeconds,
    RefreshToken: () => refreshTokenSeconds,
    Session: 60,
  },
  renderError,
});

/** The protocol: codes with PKCE, one resource, rotating refresh tokens. Everything else is off. */
const protocolOf = (options: ProviderOptions, library: Library): Configuration => ({
  scopes: [...connectionScopes],
  claims: {},
  responseTypes: ['code'],
  pkce: { required: () => true },
  acceptQueryParamAccessTokens: false,
  allowOmittingSingleRegisteredRedirectUri: false,
  rotateRefreshToken: (ctx) => wholeScope(ctx),
  issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  expiresWithSession: async () => false,
  // Never an earlier grant: each consent is a connection of its own.
  loadExistingGrant: async (ctx) => {
    const grantId = ctx.oidc.result?.consent?.grantId;
    return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
  },
  findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  interactions: {
    policy: consentPolicy(library.interactionPolicy),
    url: (_ctx, { uid }) => `/connect/consent/${uid}`,
  },
  features: featuresOf(options, library),
  routes: {
    authorization: '/authorize',
    jwks: '/jwks',
    registration: '/register',
    revocation: '/revoke',
    token: '/token',
  },
});

/**
 * Rotates, with all rights of the connection: tokens have none of their own. A client may request a narrower scope (RFC 6749
 * section 6), which the library has compared by now; the response then names what the token can do.
 */
const wholeScope = ({ oidc }: KoaContextWithOIDC): true => {
  delete oidc.params?.['scope'];
  return true;
};

const featuresOf = (
  options: ProviderOptions,
  library: Library,
): NonNullable<Configuration['features']> => ({
  devInteractions: { enabled: false },
  clientIdMetadataDocument: {
    // Off, the metadata of the server does not name it, and hosts that prefer it register themselves.
    enabled: options.takesDocuments,
    ack: 'draft-02',
    cacheDuration: { min: 30, max: 300 },
    allowFetch: async (ctx, clientId) => mayRead(options, clientId, ctx),
  },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  userinfo: { enabled: false },
  revocation: {
    enabled: true,
    allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
  },
  registration: {
    enabled: options.takesRegistrations,
    issueRegistrationAccessToken: false,
  },
  resourceIndicators: {
    enabled: true,
    defaultResource: () => options.resources[0],
    getResourceServerInfo: (_ctx, resource) => {
      if (!options.resources.includes(resource)) {
        throw new library.errors.InvalidTarget();
      }
      return {
        scope: connectionScopes.join(' '),
        accessTokenFormat: 'opaque',
        accessTokenTTL: accessTokenSeconds,
      };
    },
  },
});

/**
 * Whether a metadata document may be read: of an allowed host, and 30 a minute of an address. The consent page of an operator
 * reads it outside of any request of the protocol, and is not counted.
 */
const mayRead = async (
  { clientHosts, countDocument }: ProviderOptions,
  clientId: string,
  ctx: KoaContextWithOIDC | undefined,
): Promise<boolean> => {
  const isAllowed = clientHosts.length === 0 || clientHosts.includes(new URL(clientId).host);
  const address = ctx?.req.headers[clientAddressHeader];
  return isAllowed && (address === undefined || countDocument(String(address)));
};

/** Clients are public: a secret in an app on somebody's machine is none. */
const clientsOf = (options: ProviderOptions): Configuration => ({
  fetch: createDocumentFetch({
    allowsRemote: options.allowsRemoteClients,
    ...(options.network ? { network: options.network } : {}),
  }),
  fetchResponseBodyLimits: { 'client_id metadata document': 8 * 1_024 },
  clientAuthMethods: ['none'],
  clientDefaults: {
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    id_token_signed_response_alg: 'EdDSA',
  },
  enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
});

/** The exchange of each request, by its context. */
const createExchanges = () => {
  const exchanges = new WeakMap<object, Exchange>();
  return (ctx: object): Exchange => {
    const exchange = exchanges.get(ctx) ?? { found: new Map<string, number>(), source: null };
    exchanges.set(ctx, exchange);
    return exchange;
  };
};

const adapterDeps = (
  { db, clock, callAgents, issuer }: ProviderOptions,
  { Provider, errors }: Library,
  exchangeOf: (ctx: object) => Exchange,
): AdapterDeps => {
  const context = (): KoaContextWithOIDC | undefined => Provider.ctx;
  return {
    db,
    clock,
    callAgents,
    exchange: () => exchangeOf(context() ?? {}),
    requestId: () => String(context()?.req.headers['x-request-id'] ?? ''),
    invalidGrant: (reason) => new errors.InvalidGrant(reason),
    usesConsentedCopy: () => ['token', 'revocation'].includes(context()?.oidc.route ?? ''),
    endingReason: () => {
      const oidc = context()?.oidc;
      if (oidc?.route === 'revocation') {
        return 'revoked_by_client';
      }
      return oidc?.params?.['grant_type'] === 'authorization_code'
        ? 'code_reused'
        : 'refresh_token_reused';
    },
    returnTo: (uid) => `${issuer}/authorize/${uid}`,
  };
};
