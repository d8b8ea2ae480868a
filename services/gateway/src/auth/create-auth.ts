import type { ServiceClient } from '@commonplace/http/core';
import { pepperKeys, sessionCookieKeys, signingKeys } from '@commonplace/identity';
import type { Config } from '../config.ts';
import type { Clock } from '../deps.ts';
import { createAuthenticate, type Authenticate } from './authenticate.ts';
import { createApiKeyAuthenticator } from './authenticators/api-key.ts';
import type { Authentication, Authenticator } from './authenticators/authenticator.ts';
import { createConnectionAuthenticator } from './authenticators/connection.ts';
import { localOperatorAuthenticator } from './authenticators/local-operator.ts';
import { createRunTokenAuthenticator } from './authenticators/run-token.ts';
import { createSessionAuthenticator } from './authenticators/session.ts';
import { createTarpit } from './tarpit.ts';
import {
  createVerificationCache,
  type CacheOptions,
  type VerificationCache,
} from './verification/cache.ts';

export type AuthOptions = {
  readonly config: Config;
  readonly clock: Clock;
  readonly cacheOptions: CacheOptions;
  readonly isHttps: boolean;
  /** The services that verify credentials. */
  readonly services: { readonly auth: ServiceClient; readonly agents: ServiceClient };
};

export type Auth = {
  readonly authenticate: Authenticate;
  /** The verified credentials. */
  readonly credentials: VerificationCache<Authentication>;
};

/** Creates the authenticators of the deployment mode and the cache that they share. */
export const createAuth = (options: AuthOptions): Auth => {
  const { config, clock, cacheOptions, isHttps, services } = options;
  const cache = createVerificationCache<Authentication>(cacheOptions);
  const { agents, auth } = services;
  const peppers = pepperKeys(config.API_KEY_PEPPERS);
  const authenticators: Authenticator[] = [
    createConnectionAuthenticator({ peppers, cache, agents }),
    createApiKeyAuthenticator({ peppers, cache, agents }),
    createRunTokenAuthenticator({
      keys: signingKeys(config.RUN_TOKEN_SECRETS),
      cache,
      agents,
      clock,
    }),
    config.DEPLOYMENT_MODE === 'local_trusted'
      ? localOperatorAuthenticator
      : createSessionAuthenticator({
          keys: sessionCookieKeys(config.SESSION_SECRETS),
          isHttps,
          cache,
          auth,
        }),
  ];
  return { authenticate: createTarpit(createAuthenticate(authenticators)), credentials: cache };
};
