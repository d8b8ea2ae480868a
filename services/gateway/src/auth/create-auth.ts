import { serviceClient } from '@commonplace/http/core';
import {
  identityMinter,
  pepperKeys,
  sessionCookieKeys,
  signingKeys,
  type MintIdentity,
} from '@commonplace/identity';
import { createAuthenticate, type Authenticate } from './authenticate.ts';
import { createApiKeyAuthenticator } from './authenticators/api-key.ts';
import type { Authentication } from './authenticators/authenticator.ts';
import { localOperatorAuthenticator } from './authenticators/local-operator.ts';
import { createRunTokenAuthenticator } from './authenticators/run-token.ts';
import { createSessionAuthenticator } from './authenticators/session.ts';
import type { Deps } from '../deps.ts';
import type { Invalidatable } from './verification/invalidate.ts';
import { createTarpit } from './tarpit.ts';
import { createIdentityTokenCache, type IdentityTokenFor } from './identity-token-cache.ts';
import { createLookupLimiter } from './verification/lookup-limiter.ts';
import { createMembershipFinder, type Memberships } from '../tenancy/memberships.ts';
import { createUnverifiedLookupLimit } from '../limits/rate-limit.ts';
import { createCompanySelector, type SelectCompany } from '../tenancy/select-company.ts';
import type { GatewayCounters } from '../observability/counters.ts';
import { createVerificationCache, type CacheOptions } from './verification/cache.ts';

export type Auth = {
  readonly authenticate: Authenticate;
  readonly selectCompany: SelectCompany;
  readonly identityTokenFor: IdentityTokenFor;
  /** Everything that remembers answers of services. */
  readonly caches: readonly Invalidatable[];
};

/** What is admitted on an answer that took so long was good at most so long ago: well within a second. */
const lookupTimeoutMs = 600;
const lookupLimits = { inFlightMax: 64, unverifiedMax: 32, waitMaxMs: 250 };

/** Puts together everything that tells who sends a request: authenticators, caches, look-ups. */
export const createAuth = (deps: Deps & { readonly counters: GatewayCounters }): Auth => {
  const { config, clock, counters } = deps;
  const mint = identityMinter(signingKeys(config.INTERNAL_IDENTITY_SECRETS), 'gateway');
  const gate = createLookupLimiter(lookupLimits);
  const shared: CacheOptions = {
    clock,
    lookupLimiter: (isStranger, task) => gate(isStranger, () => countInFlight(counters, task)),
    unverifiedLimit: createUnverifiedLookupLimit(clock),
    onFind: (isHit) => {
      counters[isHit ? 'hits' : 'misses'] += 1;
    },
  };
  const cache = createVerificationCache<Authentication>(shared);
  const memberships = createVerificationCache<Memberships>(shared);
  const agents = clientOf(config.AGENTS_URL, mint);
  const bearers = [
    createApiKeyAuthenticator({ peppers: pepperKeys(config.API_KEY_PEPPERS), cache, agents }),
    createRunTokenAuthenticator({
      keys: signingKeys(config.RUN_TOKEN_SECRETS),
      cache,
      agents,
      clock,
    }),
  ];
  const byMode = {
    local_trusted: () => localOperatorAuthenticator,
    authenticated: () =>
      createSessionAuthenticator({
        keys: sessionCookieKeys(config.SESSION_SECRETS),
        isHttps: isHttps(config.PUBLIC_URL),
        cache,
        auth: clientOf(config.AUTH_URL, mint),
      }),
  };
  return {
    authenticate: createTarpit(createAuthenticate([...bearers, byMode[config.DEPLOYMENT_MODE]()])),
    selectCompany: createCompanySelector(createMembershipFinder(memberships, agents)),
    identityTokenFor: createIdentityTokenCache(mint, clock),
    caches: [cache, memberships],
  };
};

/** Decides the name of the session cookie and whether browsers are told to stay on https. */
export const isHttps = (publicUrl: string | undefined): boolean =>
  publicUrl?.startsWith('https:') ?? false;

const clientOf = (baseUrls: readonly string[], mintIdentity: MintIdentity) =>
  serviceClient({ baseUrls, self: 'gateway', mintIdentity, timeoutMs: lookupTimeoutMs });

const countInFlight = async <Result>(
  counters: GatewayCounters,
  task: () => Promise<Result>,
): Promise<Result> => {
  counters.inFlight += 1;
  try {
    return await task();
  } finally {
    counters.inFlight -= 1;
  }
};
