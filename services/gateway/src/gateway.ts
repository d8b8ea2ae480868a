import type { IncomingMessage } from 'node:http';
import type { RouteContract } from '@commonplace/contracts';
import { sessionCookieName } from '@commonplace/identity';
import { bodyBudget, type BodyBudget } from './bodies/body-budget.ts';
import { clientAddressReader } from './client-address.ts';
import { cors, type Cors } from './cors.ts';
import { buildCredentials, isHttps, type Credentials } from './credentials.ts';
import type { Deps } from './deps.ts';
import { forwarder, type Forward } from './forward.ts';
import { consolePages, type StandIn } from './pages/console-pages.ts';
import { documentRoutes } from './pages/documents.ts';
import { frontPage } from './pages/front-page.ts';
import { healthRoutes } from './pages/health.ts';
import type { OwnRoute } from './pages/own-route.ts';
import { publicOrigins, type PublicOrigins } from './public-origins.ts';
import { rateLimit, type RateLimit } from './rate-limit.ts';
import { routeTable, type RouteTable } from './route-table.ts';
import { streamLimit, type LimitStreams } from './stream-limit.ts';
import { createTally } from './tally.ts';

/** Where a route leads: to a service, or to a page of the gateway's own. */
type Target =
  | { readonly kind: 'service'; readonly contract: RouteContract }
  | { readonly kind: 'own'; readonly answer: OwnRoute['answer'] };

/** Everything a request meets on its way. */
export type Gateway = Credentials & {
  readonly deps: Deps;
  readonly isHttps: boolean;
  readonly table: RouteTable<Target>;
  readonly cors: Cors;
  readonly limitRate: RateLimit;
  readonly limitStreams: LimitStreams;
  readonly bodyBudget: BodyBudget;
  readonly forward: Forward;
  readonly addressOf: (req: IncomingMessage) => string;
  /** The port clients know us by. */
  readonly portOf: (req: IncomingMessage) => number;
  readonly publicOrigins: PublicOrigins;
  readonly cookieName: string;
  /** Answers a path that no route has, where a page of the console may stand there. */
  readonly standIn: StandIn;
};

const bytesPerMib = 1024 * 1024;

/** The composition root: makes every piece once, from configuration. */
export const buildGateway = (deps: Deps): Gateway => {
  const { config, contracts, draining } = deps;
  const services = { auth: config.AUTH_URL, agents: config.AGENTS_URL, notes: config.NOTES_URL };
  const tally = deps.tally ?? createTally();
  const https = isHttps(config.PUBLIC_URL);
  const console = consolePages(config.CONSOLE_DIR);
  const pages = [
    ...(console?.routes ?? [frontPage]),
    ...healthRoutes({ services, draining }),
    ...documentRoutes(),
  ];
  return {
    ...buildCredentials({ ...deps, tally }),
    deps,
    isHttps: https,
    table: routeTable<Target>([...contracts.map(toService), ...pages.map(toPage)]),
    cors: cors(config.CORS_ORIGINS),
    limitRate: rateLimit(config.RATE_LIMIT_PER_SECOND, deps.clock),
    limitStreams: streamLimit({
      perCredential: config.STREAMS_PER_CREDENTIAL,
      perCompany: config.STREAMS_PER_COMPANY,
    }),
    bodyBudget: bodyBudget(
      {
        total: config.BODY_MIB_MAX * bytesPerMib,
        perCredential: config.BODY_MIB_PER_CREDENTIAL * bytesPerMib,
        perAddress: config.BODY_MIB_PER_ADDRESS * bytesPerMib,
      },
      tally,
    ),
    forward: forwarder(services),
    addressOf: clientAddressReader(config.TRUST_PROXY),
    portOf: (req) => config.PORT || (req.socket.localPort ?? 0),
    publicOrigins: publicOrigins(config),
    cookieName: sessionCookieName(https),
    standIn: console?.standIn ?? (() => false),
  };
};

/** Internal routes are between services: one in the table is a fault of the wiring. */
const toService = (contract: RouteContract) => {
  const { method, path, access, operationId } = contract;
  if (access.kind === 'service' || !path.startsWith('/api/')) {
    throw new Error(`${operationId} is not for the outside: ${path}`);
  }
  return { method, path, target: { kind: 'service', contract } as const };
};

const toPage = ({ path, answer }: OwnRoute) =>
  ({ method: 'get', path, target: { kind: 'own', answer } }) as const;
