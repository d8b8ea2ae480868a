import {
  AppError,
  newId,
  type EntityKind,
  type ErrorShape,
  type RouteContract,
} from '@commonplace/contracts/core';
import { requestIdHeader, type Caller, type VerifyIdentity } from '@commonplace/identity';
import { withFirstSpan } from '@commonplace/tracing';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { bodyAdmission, type AdmitBody } from './admit-bodies.ts';
import type { Logger } from '../logging/create-log.ts';
import { handleRequest, type Incoming, type RequestDeps } from './handle-request.ts';
import { logFailure } from '../logging/log-failure.ts';
import { isStreamRequest } from '../server/is-stream-request.ts';
import type { OnResponse } from '../logging/on-response.ts';
import { errorResponse } from './error-response.ts';
import { asAppError, sendError } from './problem.ts';
import { bodyReader } from './read-body.ts';
import { startHandlerSpan } from './handler-span.ts';
import type { RecheckCaller } from './confirm-caller.ts';
import { requestLog } from '../logging/request-log.ts';
import type { AssertVisible, FindRunAgent, Owners, Parts } from './resolve-company.ts';
import { sendReply } from './send-reply.ts';
import type { Route } from './route-types.ts';
import type { WorkLimits } from './work.ts';

export type AppOptions = {
  readonly routes: readonly Route[];
  readonly verifyIdentity: VerifyIdentity;
  readonly log: Logger;
  /** Which company owns an id, for every kind of entity in the routes. */
  readonly owners?: Owners;
  /** For entities whose paths name a parent: whether the two belong together. */
  readonly parts?: Parts;
  /** For entities that callers with grants may not see. */
  readonly assertVisible?: AssertVisible;
  /** Finds the agent of a run, for routes with the access `itself_by_key_or_run`. */
  readonly agentOfRun?: FindRunAgent;
  /** Resolves when the service can work, rejects when it cannot (its database is unavailable). */
  readonly isReady: () => Promise<void>;
  readonly nowMs?: () => number;
  /** Looks up the caller of a request that waited for its body or in a queue. */
  readonly recheckCaller?: RecheckCaller;
  /** Where the work of requests waits; without them it runs at once. */
  readonly limits?: WorkLimits;
  /** Bytes of bodies beyond 64 KiB in progress at once; others wait unread. */
  readonly largeBodyBytesMax?: number;
  readonly onResponse?: OnResponse | undefined;
  /** Middleware before the routes; sessions need one. */
  readonly before?: readonly RequestHandler[];
};

const largeBodyBytesDefault = 48 * 1024 * 1024;
/** Well below the deadline of a request. */
const admissionWaitMs = 10_000;

/** Builds the handler of a service from its routes. There is no other way to add one. */
export const buildApp = (options: AppOptions): Express => {
  assertWired(options);
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.use(requestLog(options.log, options.onResponse));
  app.get('/healthz', (_req, res) => void res.json({ status: 'ok' }));
  app.get('/readyz', async (_req, res) => {
    await options.isReady();
    res.json({ status: 'ok' });
  });
  for (const middleware of options.before ?? []) {
    app.use(middleware);
  }
  const bytesMax = options.largeBodyBytesMax ?? largeBodyBytesDefault;
  const admitBody = bodyAdmission({ bytesMax, waitMaxMs: admissionWaitMs });
  for (const route of byPrecedence(options.routes)) {
    app[route.contract.method](
      expressPath(route.contract.path),
      routeHandler(options, route, admitBody),
    );
  }
  app.use(() => {
    throw new AppError('route_not_found');
  });
  // oxlint-disable-next-line max-params -- Express knows an error handler by its four parameters
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => {
    respondToError(options.log, error, { req, res });
  });
  return app;
};

/** OpenAPI's `{id}` is Express's `:id`. */
const expressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Literal segments win over parameters, so that `/agents/me` is not an agent called "me". */
const byPrecedence = (routes: readonly Route[]): Route[] =>
  routes
    .toSorted((a, b) => (expressPath(a.contract.path) > expressPath(b.contract.path) ? -1 : 1))
    .toSorted((a, b) => a.contract.path.split('{').length - b.contract.path.split('{').length);

const routeHandler = (options: AppOptions, route: Route, admitBody: AdmitBody): RequestHandler => {
  const deps: RequestDeps = {
    verifyIdentity: options.verifyIdentity,
    owners: options.owners ?? {},
    parts: options.parts ?? {},
    agentOfRun: options.agentOfRun,
    assertVisible: options.assertVisible ?? {},
    nowMs: options.nowMs ?? Date.now,
    recheckCaller: options.recheckCaller,
    limits: options.limits,
  };
  const readBody = bodyReader(route.contract, admitBody);
  return async (req, res) => {
    res.locals['route'] = route.contract.path;
    res.locals['errorShape'] = route.contract.errorShape;
    res.locals['isStream'] = isStreamRequest(route.contract, req);
    const incoming: Incoming = {
      req,
      res,
      readBody,
      requestId: requestIdOf(req, res),
      onCaller: (caller: Caller) => {
        res.locals['caller'] = caller;
      },
    };
    const respond = async () =>
      sendReply(res, route.contract, await handleRequest(deps, route, incoming));
    const span = startHandlerSpan(route.contract, { req, res, requestId: incoming.requestId });
    await withFirstSpan(span, respond);
  };
};

/** The request id of the gateway, or a new one. */
const requestIdOf = (req: Request, res: Response): string => {
  const given = req.headers[requestIdHeader];
  const id =
    (res.locals['requestId'] as string | undefined) ??
    (typeof given === 'string' ? given : newId());
  res.locals['requestId'] = id;
  return id;
};

const respondToError = (
  log: Logger,
  error: unknown,
  { req, res }: { req: Request; res: Response },
): void => {
  const appError = asAppError(isDecodeFailure(error) ? new AppError('ambiguous_target') : error);
  const requestId = requestIdOf(req, res);
  res.locals['reason'] = appError.code;
  res.locals['failedWith'] = appError.status;
  logFailure(log, appError, requestId, res.locals['traceId'] as string | undefined);
  sendError(
    res,
    errorResponse(appError, requestId, res.locals['errorShape'] as ErrorShape | undefined),
  );
};

/** The router's error for an escape it cannot decode. */
const isDecodeFailure = (error: unknown): boolean => error instanceof URIError;

/** Finds wiring errors at startup, not at the first request. */
const assertWired = ({ routes, owners = {}, agentOfRun }: AppOptions): void => {
  const seen = new Set<string>();
  for (const { contract } of routes) {
    const name = `${contract.method} ${contract.path.replaceAll(/\{\w+\}/g, '{}')}`;
    if (seen.has(name)) {
      throw new Error(`Two routes for ${name}`);
    }
    seen.add(name);
    assertParams(contract);
    for (const kind of entityKinds(contract)) {
      if (!owners[kind]) {
        throw new Error(`${name} needs an owner lookup for ${kind}`);
      }
    }
    if (contract.access.kind === 'company' && contract.access.agents === 'itself_by_key_or_run') {
      if (!agentOfRun) {
        throw new Error(`${name} needs a lookup for the agent of a run`);
      }
    }
  }
};

const entityKinds = ({ access }: RouteContract): EntityKind[] =>
  access.kind === 'company' ? Object.values(access.entities ?? {}) : [];

const assertParams = (contract: RouteContract): void => {
  const inPath = [...contract.path.matchAll(/\{(\w+)\}/g)]
    .map((match) => match[1] ?? '')
    .toSorted();
  const declared = Object.keys(contract.params?.shape ?? {}).toSorted();
  if (inPath.join() !== declared.join()) {
    throw new Error(`${contract.path} declares the parameters ${declared.join() || 'none'}`);
  }
};
