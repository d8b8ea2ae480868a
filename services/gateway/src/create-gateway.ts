import type { IncomingMessage } from 'node:http';
import type { RouteContract } from '@commonplace/contracts';
import { serviceClient } from '@commonplace/http/core';
import { identityMinter, sessionCookieName, signingKeys } from '@commonplace/identity';
import { createAuth } from './auth/create-auth.ts';
import { createIdentityTokenCache } from './auth/identity-token-cache.ts';
import { createOAuthResources } from './auth/oauth-resources.ts';
import { createVerificationCache, type CacheOptions } from './auth/verification/cache.ts';
import { createLookupLimiter } from './auth/verification/lookup-limiter.ts';
import type { Deps } from './deps.ts';
import { createClientAddressResolver } from './http/client-address.ts';
import type { LocalRoute } from './http/local-response.ts';
import { createBodyBudget } from './limits/body-budget.ts';
import { createRateLimit } from './limits/rate-limit.ts';
import { createStreamLimit } from './limits/stream-limit.ts';
import { createUnverifiedLookupLimit } from './limits/unverified-lookup-limit.ts';
import { apiDocsRoutes } from './local/api-docs.ts';
import { createConsole, type ServeConsolePage } from './local/console.ts';
import { healthRoutes } from './local/health.ts';
import { landingPage } from './local/landing-page.ts';
import { builtPackages, packageRoutes } from './local/packages.ts';
import { createCounters, type GatewayCounters } from './observability/counters.ts';
import { createForward } from './proxy/forward.ts';
import { createProxyRequest, type ProxyRequest } from './proxy/proxy-request.ts';
import { createRouter, type Router } from './routing/router.ts';
import { createMembershipFinder, type Memberships } from './tenancy/memberships.ts';
import { createCompanySelector } from './tenancy/select-company.ts';
import { createCors, type Cors } from './validate/cors.ts';
import { createCsrfCheck } from './validate/csrf.ts';
import { createPublicOrigins } from './validate/public-origins.ts';
import { createRequestValidator } from './validate/validate-request.ts';

/** A route leads to a service or to a handler of the gateway. */
export type Target =
  | { readonly kind: 'service'; readonly contract: RouteContract }
  | { readonly kind: 'local'; readonly label: string; readonly handle: LocalRoute['handle'] };

/** The components that handle a request, in their order. */
export type GatewayContext = {
  readonly clientAddressOf: (req: IncomingMessage) => string;
  /** Whether clients reach this site by https. */
  readonly isHttps: boolean;
  readonly validateRequest: (req: IncomingMessage) => string;
  readonly cors: Cors;
  readonly router: Router<Target>;
  /** Serves the console's page on paths without a route. */
  readonly serveConsolePage: ServeConsolePage;
  readonly proxyRequest: ProxyRequest;
};

const bytesPerMib = 1024 * 1024;

/**
 * The longest a lookup may take. A caller is authorized by data that a service read at most this long before
 * the result came in, which keeps a revocation well within a second.
 */
const lookupTimeoutMs = 600;
const lookupLimits = { inFlightMax: 64, unverifiedMax: 32, waitMaxMs: 250 };

/** The composition root: creates every component from the configuration. */
export const createGateway = (deps: Deps): GatewayContext => {
  const { config, contracts, draining } = deps;
  const counters = deps.counters ?? createCounters();
  const isHttps = config.PUBLIC_URL?.startsWith('https:') ?? false;
  const cookieName = config.DEPLOYMENT_MODE === 'authenticated' ? sessionCookieName(isHttps) : null;
  const publicPortOf = (req: IncomingMessage) => config.PORT || (req.socket.localPort ?? 0);
  const services = { auth: config.AUTH_URL, agents: config.AGENTS_URL, notes: config.NOTES_URL };
  const console = createConsole({
    dir: config.CONSOLE_DIR,
    log: deps.log,
    sessionCookieName: cookieName,
    isHttps,
  });
  const localRoutes = [
    ...(console?.routes ?? [landingPage]),
    ...healthRoutes({ services, draining }),
    ...apiDocsRoutes(),
    ...packageRoutes(deps.packagesDir ?? builtPackages),
  ];
  return {
    clientAddressOf: createClientAddressResolver(config.TRUST_PROXY),
    isHttps,
    validateRequest: createRequestValidator({ mode: config.DEPLOYMENT_MODE, publicPortOf }),
    cors: createCors(config.CORS_ORIGINS, config.DEPLOYMENT_MODE === 'authenticated'),
    router: createRouter<Target>([
      ...contracts.map(toServiceRoute),
      ...localRoutes.map(toLocalRoute),
    ]),
    serveConsolePage: console?.serveConsolePage ?? (() => false),
    proxyRequest: createProxyRequest({
      ...createCallerVerification(deps, { counters, isHttps }),
      ...createLimits(deps, counters),
      oauthResourceOf: createOAuthResources({
        origin: config.PUBLIC_URL ?? config.GATEWAY_URL ?? `http://127.0.0.1:${config.PORT}`,
        isAtMcp: config.OAUTH_AT_MCP,
      }),
      clock: deps.clock,
      draining,
      assertSameSite: createCsrfCheck({
        mode: config.DEPLOYMENT_MODE,
        publicOriginsOf: createPublicOrigins(config, publicPortOf),
        corsOrigins: config.CORS_ORIGINS,
      }),
      forward: createForward(services),
      isHttps,
      sessionCookieName: cookieName,
    }),
  };
};

/** Creates the verification of callers and companies, with its caches. */
const createCallerVerification = (
  { config, clock }: Deps,
  { counters, isHttps }: { readonly counters: GatewayCounters; readonly isHttps: boolean },
) => {
  const mintIdentity = identityMinter(signingKeys(config.INTERNAL_IDENTITY_SECRETS), 'gateway');
  const clientOf = (baseUrls: readonly string[]) =>
    serviceClient({ baseUrls, self: 'gateway', mintIdentity, timeoutMs: lookupTimeoutMs });
  const agents = clientOf(config.AGENTS_URL);
  const cacheOptions: CacheOptions = {
    clock,
    lookupLimiter: createLookupLimiter(lookupLimits, counters),
    unverifiedLimit: createUnverifiedLookupLimit(clock),
    onFind: (isHit) => {
      counters[isHit ? 'hits' : 'misses'] += 1;
    },
  };
  const { authenticate, credentials } = createAuth({
    config,
    clock,
    cacheOptions,
    isHttps,
    services: { auth: clientOf(config.AUTH_URL), agents },
  });
  const memberships = createVerificationCache<Memberships>(cacheOptions);
  return {
    authenticate,
    selectCompany: createCompanySelector(createMembershipFinder(memberships, agents)),
    identityTokenFor: createIdentityTokenCache(mintIdentity, clock),
    caches: [credentials, memberships],
  };
};

const createLimits = ({ config, clock }: Deps, counters: GatewayCounters) => ({
  limitRate: createRateLimit(config.RATE_LIMIT_PER_SECOND, clock),
  limitStreams: createStreamLimit({
    perCredential: config.STREAMS_PER_CREDENTIAL,
    perCompany: config.STREAMS_PER_COMPANY,
  }),
  bodyBudget: createBodyBudget(
    {
      total: config.BODY_MIB_MAX * bytesPerMib,
      perCredential: config.BODY_MIB_PER_CREDENTIAL * bytesPerMib,
      perCompany: config.BODY_MIB_PER_COMPANY * bytesPerMib,
      perAddress: config.BODY_MIB_PER_ADDRESS * bytesPerMib,
    },
    counters,
    clock,
  ),
});

/** Everything else belongs to the console and to the gateway itself. */
const isPublicPath = (path: string): boolean =>
  /^\/(?:api\/|mcp$|connect\/|\.well-known\/)/.test(path);

/** Internal routes are for services only. One in the router is a programming error. */
const toServiceRoute = (contract: RouteContract) => {
  const { method, path, access, operationId } = contract;
  if (access.kind === 'service' || !isPublicPath(path)) {
    throw new Error(`${operationId} is not a public route: ${path}`);
  }
  return { method, path, target: { kind: 'service', contract } as const };
};

const toLocalRoute = ({ path, label = path, handle }: LocalRoute) =>
  ({ method: 'get', path, target: { kind: 'local', label, handle } }) as const;
