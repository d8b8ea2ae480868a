import { createRemoteJWKSet, customFetch as joseFetch, type JWTVerifyGetKey } from 'jose';
import * as client from 'openid-client';
import { boundedFetch } from './bounded-fetch.ts';

/** How to reach a provider. */
export type ProviderSettings = {
  readonly issuer: string;
  readonly clientId: string;
  /** Null means a public client, which PKCE protects alone. */
  readonly clientSecret: string | null;
};

/** What the provider publishes about itself. */
export type DiscoveredProvider = {
  readonly configuration: client.Configuration;
  readonly metadata: client.ServerMetadata;
  /** Its keys, fetched when needed and again when a token names an unknown one. */
  readonly keys: JWTVerifyGetKey;
};

const refreshAfterMs = 60 * 60 * 1000;
/** A provider that is down gets no more requests, however many people try to sign in. */
const retryAfterMs = 2_000;
/** An unknown key is looked for this often at most, so that invented ones cause no flood. */
const keysCooldownMs = 2_000;
const keysTimeoutMs = 5_000;

type Cached = { readonly provider: DiscoveredProvider; readonly atMs: number };
type Failure = { readonly error: unknown; readonly atMs: number };

/**
 * Creates the function that discovers a provider at its first use. The result is kept for an hour,
 * then renewed while the old one is used. Throws what the last discovery threw, for 2 s.
 */
export const createDiscovery = (
  settings: ProviderSettings,
  nowMs: () => number = () => performance.now(),
): (() => Promise<DiscoveredProvider>) => {
  let cached: Cached | null = null;
  let failure: Failure | null = null;
  let running: Promise<DiscoveredProvider> | null = null;

  const run = (): Promise<DiscoveredProvider> => {
    running ??= discover(settings)
      .then((provider) => {
        cached = { provider, atMs: nowMs() };
        failure = null;
        return provider;
      })
      .catch((error: unknown) => {
        failure = { error, atMs: nowMs() };
        throw error;
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
  const isWaiting = () => failure !== null && nowMs() - failure.atMs < retryAfterMs;

  return async () => {
    if (cached) {
      if (nowMs() - cached.atMs > refreshAfterMs && !isWaiting()) {
        run().catch(() => undefined);
      }
      return cached.provider;
    }
    if (failure && isWaiting()) {
      throw failure.error;
    }
    return run();
  };
};

const discover = async (settings: ProviderSettings): Promise<DiscoveredProvider> => {
  const { issuer, clientId, clientSecret } = settings;
  const isHttp = issuer.startsWith('http:');
  const configuration = await client.discovery(
    new URL(issuer),
    clientId,
    {},
    clientAuthentication(clientSecret),
    {
      [client.customFetch]: boundedFetch,
      // The configuration admits http on loopback only.
      ...(isHttp ? { execute: [client.allowInsecureRequests] } : {}),
    },
  );
  configuration[client.customFetch] = boundedFetch;
  const metadata = configuration.serverMetadata();
  if (metadata.jwks_uri === undefined) {
    throw new Error('The provider publishes no keys (jwks_uri)');
  }
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), {
    cooldownDuration: keysCooldownMs,
    timeoutDuration: keysTimeoutMs,
    [joseFetch]: boundedFetch,
  });
  return { configuration, metadata, keys };
};

/** `client_secret_basic`, the default of the specification, unless the provider has only the other. */
const clientAuthentication = (secret: string | null): client.ClientAuth => {
  if (secret === null) {
    return client.None();
  }
  const basic = client.ClientSecretBasic(secret);
  const post = client.ClientSecretPost(secret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
};
