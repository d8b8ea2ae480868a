import { createRemoteJWKSet, customFetch as joseFetch, errors, type JWTVerifyGetKey } from 'jose';
import * as client from 'openid-client';
import { z } from 'zod';
import { boundedFetch, ProviderUnavailableError } from './bounded-fetch.ts';

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
  /** Its keys, fetched when needed and again when a token names an unknown one. Throws that it is unavailable if they are none. */
  readonly keys: JWTVerifyGetKey;
};

const refreshAfterMs = 60 * 60 * 1000;
/** A provider that is down gets no more requests, however many people try to sign in. */
const retryAfterMs = 2_000;
/** Unknown keys are looked for this often at most, also after a failure, so that invented ones cause no flood. */
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

/** Whatever is wrong with what a provider says about itself, nobody can sign in through it. */
const discover = (settings: ProviderSettings): Promise<DiscoveredProvider> =>
  readDocument(settings).catch((cause: unknown) => {
    throw new ProviderUnavailableError('it has no valid discovery document', { cause });
  });

const endpoint = z.url({ protocol: /^https?$/ });
const endpointsSchema = z.object({
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
});

const readDocument = async (settings: ProviderSettings): Promise<DiscoveredProvider> => {
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
  const { jwks_uri: keysUrl } = endpointsSchema.parse(metadata);
  return { configuration, metadata, keys: keysAt(keysUrl) };
};

const keysAt = (url: string): JWTVerifyGetKey => {
  let failedAtMs = -Infinity;
  const isWaiting = () => performance.now() - failedAtMs < keysCooldownMs;
  const fetchKeys: typeof boundedFetch = async (...request) => {
    if (isWaiting()) {
      throw new ProviderUnavailableError('its keys could not be read a moment ago');
    }
    return boundedFetch(...request);
  };
  const findKey = createRemoteJWKSet(new URL(url), {
    cooldownDuration: keysCooldownMs,
    timeoutDuration: keysTimeoutMs,
    [joseFetch]: fetchKeys,
  });
  return async (...token) => {
    try {
      return await findKey(...token);
    } catch (cause) {
      if (isOfToken(cause)) {
        throw cause;
      }
      failedAtMs = isWaiting() ? failedAtMs : performance.now();
      throw new ProviderUnavailableError('it has no valid keys', { cause });
    }
  };
};

/** Whether a token names no key of the provider. Everything else is wrong with the keys, and the token may be good. */
const isOfToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;

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
