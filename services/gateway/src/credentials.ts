import { serviceClient } from '@commonplace/http/core';
import {
  identityMinter,
  pepperKeys,
  sessionCookieKeys,
  signingKeys,
  type MintIdentity,
} from '@commonplace/identity';
import { authenticateBy, type Authenticate } from './authenticate.ts';
import { apiKeyAuthenticator } from './authenticators/api-key.ts';
import type { Verified } from './authenticators/authenticator.ts';
import { localOperatorAuthenticator } from './authenticators/local-operator.ts';
import { runTokenAuthenticator } from './authenticators/run-token.ts';
import { sessionAuthenticator } from './authenticators/session.ts';
import type { Deps } from './deps.ts';
import type { Forgetful } from './forget-changed.ts';
import { holdRefusals } from './hold-refusals.ts';
import { identityOf, type IdentityOf } from './identity-of.ts';
import { lookUpGate } from './look-up-gate.ts';
import { membershipFinder, type Memberships } from './memberships.ts';
import { strangerLimit } from './rate-limit.ts';
import { companySelector, type SelectCompany } from './select-company.ts';
import type { Tally } from './tally.ts';
import { verificationCache, type CacheOptions } from './verification-cache.ts';

export type Credentials = {
  readonly authenticate: Authenticate;
  readonly selectCompany: SelectCompany;
  readonly identityOf: IdentityOf;
  /** Everything that remembers answers of services. */
  readonly memories: readonly Forgetful[];
};

/** What is admitted on an answer that took so long was good at most so long ago: well within a second. */
const lookUpMaxMs = 600;
const lookUps = { inFlightMax: 64, strangersMax: 32, waitMaxMs: 250 };

/** Puts together everything that tells who sends a request: authenticators, caches, look-ups. */
export const buildCredentials = (deps: Deps & { readonly tally: Tally }): Credentials => {
  const { config, clock, tally } = deps;
  const mint = identityMinter(signingKeys(config.INTERNAL_IDENTITY_SECRETS), 'gateway');
  const gate = lookUpGate(lookUps);
  const shared: CacheOptions = {
    clock,
    gate: (isStranger, task) => gate(isStranger, () => countInFlight(tally, task)),
    strangers: strangerLimit(clock),
    onFind: (isHit) => {
      tally[isHit ? 'hits' : 'misses'] += 1;
    },
  };
  const cache = verificationCache<Verified>(shared);
  const memberships = verificationCache<Memberships>(shared);
  const agents = clientOf(config.AGENTS_URL, mint);
  const bearers = [
    apiKeyAuthenticator({ peppers: pepperKeys(config.API_KEY_PEPPERS), cache, agents }),
    runTokenAuthenticator({ keys: signingKeys(config.RUN_TOKEN_SECRETS), cache, agents, clock }),
  ];
  const byMode = {
    local_trusted: () => localOperatorAuthenticator,
    authenticated: () =>
      sessionAuthenticator({
        keys: sessionCookieKeys(config.SESSION_SECRETS),
        isHttps: isHttps(config.PUBLIC_URL),
        cache,
        auth: clientOf(config.AUTH_URL, mint),
      }),
  };
  return {
    authenticate: holdRefusals(authenticateBy([...bearers, byMode[config.DEPLOYMENT_MODE]()])),
    selectCompany: companySelector(membershipFinder(memberships, agents)),
    identityOf: identityOf(mint, clock),
    memories: [cache, memberships],
  };
};

/** Decides the name of the session cookie and whether browsers are told to stay on https. */
export const isHttps = (publicUrl: string | undefined): boolean =>
  publicUrl?.startsWith('https:') ?? false;

const clientOf = (baseUrls: readonly string[], mintIdentity: MintIdentity) =>
  serviceClient({ baseUrls, self: 'gateway', mintIdentity, timeoutMs: lookUpMaxMs });

const countInFlight = async <Result>(
  tally: Tally,
  task: () => Promise<Result>,
): Promise<Result> => {
  tally.inFlight += 1;
  try {
    return await task();
  } finally {
    tally.inFlight -= 1;
  }
};
