import type { IncomingMessage } from 'node:http';
import type { RouteContract } from '@commonplace/contracts';
import { sessionCookieName } from '@commonplace/identity';
import { createBodyBudget, type BodyBudget } from './limits/body-budget.ts';
import { createClientAddressResolver } from './http/client-address.ts';
import { createCors, type Cors } from './validate/cors.ts';
import { createAuth, isHttps, type Auth } from './auth/create-auth.ts';
import type { Deps } from './deps.ts';
import { createForward, type Forward } from './proxy/forward.ts';
import { createConsole, type ServeConsolePage } from './local/console.ts';
import { apiDocsRoutes } from './local/api-docs.ts';
import { landingPage } from './local/landing-page.ts';
import { healthRoutes } from './local/health.ts';
import type { LocalRoute } from './local/local-route.ts';
import { createPublicOrigins, type PublicOrigins } from './validate/public-origins.ts';
import { createRateLimit, type RateLimit } from './limits/rate-limit.ts';
import { createRouter, type Router } from './routing/router.ts';
import { createStreamLimit, type LimitStreams } from './limits/stream-limit.ts';
import { createCounters } from './observability/counters.ts';

/** A route leads to a service or to a handler of the gateway. */
type Target =
  | { readonly kind: 'service'; readonly contract: RouteContract }
  | { readonly kind: 'local'; readonly handle: LocalRoute['handle'] };

/** What the stages of a request share. */
export type GatewayContext = Auth & {
  readonly deps: Deps;
  readonly isHttps: boolean;
  readonly router: Router<Target>;
  readonly cors: Cors;
  readonly limitRate: RateLimit;
  readonly limitStreams: LimitStreams;
  readonly bodyBudget: BodyBudget;
  readonly forward: Forward;
  readonly clientAddressOf: (req: IncomingMessage) => string;
  /** The port that clients connect to. */
  readonly publicPortOf: (req: IncomingMessage) => number;
  readonly publicOrigins: PublicOrigins;
  readonly cookieName: string;
  /** Serves the console's page on paths without a route, when a browser asks for one. */
  readonly serveConsolePage: ServeConsolePage;
};

const bytesPerMib = 1024 * 1024;

/** The composition root: creates every component once, from configuration. */
export const createGateway = (deps: Deps): GatewayContext => {
  const { config, contracts, draining } = deps;
  const services = { auth: config.AUTH_URL, agents: config.AGENTS_URL, notes: config.NOTES_URL };
  const counters = deps.counters ?? createCounters();
  const https = isHttps(config.PUBLIC_URL);
  const console = createConsole(config.CONSOLE_DIR);
  const pages = [
    ...(console?.routes ?? [landingPage]),
    ...healthRoutes({ services, draining }),
    ...apiDocsRoutes(),
  ];
  return {
    ...createAuth({ ...deps, counters }),
    deps,
    isHttps: https,
    router: createRouter<Target>([...contracts.map(toService), ...pages.map(toPage)]),
    cors: createCors(config.CORS_ORIGINS),
    limitRate: createRateLimit(config.RATE_LIMIT_PER_SECOND, deps.clock),
    limitStreams: createStreamLimit({
      perCredential: config.STREAMS_PER_CREDENTIAL,
      perCompany: config.STREAMS_PER_COMPANY,
    }),
    bodyBudget: createBodyBudget(
      {
        total: config.BODY_MIB_MAX * bytesPerMib,
        perCredential: config.BODY_MIB_PER_CREDENTIAL * bytesPerMib,
        perAddress: config.BODY_MIB_PER_ADDRESS * bytesPerMib,
      },
      counters,
    ),
    forward: createForward(services),
    clientAddressOf: createClientAddressResolver(config.TRUST_PROXY),
    publicPortOf: (req) => config.PORT || (req.socket.localPort ?? 0),
    publicOrigins: createPublicOrigins(config),
    cookieName: sessionCookieName(https),
    serveConsolePage: console?.serveConsolePage ?? (() => false),
  };
};

/** Internal routes are for services only. One in the router is a programming error. */
const toService = (contract: RouteContract) => {
  const { method, path, access, operationId } = contract;
  if (access.kind === 'service' || !path.startsWith('/api/')) {
    throw new Error(`${operationId} is not for the outside: ${path}`);
  }
  return { method, path, target: { kind: 'service', contract } as const };
};

const toPage = ({ path, handle }: LocalRoute) =>
  ({ method: 'get', path, target: { kind: 'local', handle } }) as const;
