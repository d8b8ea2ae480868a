import type { IncomingMessage, RequestListener } from 'node:http';
import { asAppError, logFailure, requestLines, sendProblem } from '@commonplace/http/core';
import type { Deps } from './deps.ts';
import { createRequestContext, type RequestContext } from './http/request-context.ts';
import { createGateway, type GatewayContext } from './create-gateway.ts';
import { assertLocalRequest } from './validate/local-trusted.ts';
import { logAccess } from './http/access-log.ts';
import { applyPendingHeaders } from './http/pending-headers.ts';
import { proxyRequest } from './proxy/proxy-request.ts';
import { validateRequestHeaders } from './validate/request-headers.ts';
import { validateRequestTarget } from './validate/request-target.ts';

/** The gateway as a request listener. It keeps no state that it cannot lose. */
export const createApp = (deps: Deps): RequestListener => {
  const gateway = createGateway(deps);
  const log = { ...deps, log: requestLines(deps.log) };
  return (req, res) => {
    const context = createRequestContext(
      { req, res },
      {
        address: gateway.clientAddressOf(req),
        startedAtMs: deps.clock.monotonicMs(),
        isHttps: gateway.isHttps,
      },
    );
    logAccess(context, log);
    handleRequest(gateway, context).catch((error: unknown) => sendError(deps, context, error));
  };
};

/**
 * The stages of a request: validate, route, then serve locally or proxy. `proxyRequest` authenticates,
 * authorizes and limits the request before it forwards it.
 */
const handleRequest = async (gateway: GatewayContext, context: RequestContext): Promise<void> => {
  const { req, res } = context;
  const path = validateRequest(gateway, req);
  const match = gateway.router.match(path);
  if (gateway.cors.preflight(req, res, () => gateway.router.allowedMethods(match))) {
    return;
  }
  if (!match && gateway.serveConsolePage(context, path)) {
    return;
  }
  const { route, params } = gateway.router.resolve(match, req.method ?? '');
  context.logFields.route = route.path;
  if (route.target.kind === 'local') {
    applyPendingHeaders(res);
    await route.target.handle(context);
    return;
  }
  gateway.cors.applyHeaders(req, res);
  const { contract } = route.target;
  const onError = (error: unknown) => sendError(gateway.deps, context, error);
  await proxyRequest({ gateway, context, route: { contract, params, onError } });
};

/** Rejects ambiguous, malformed and misdirected requests. Returns the path. */
const validateRequest = ({ deps, publicPortOf }: GatewayContext, req: IncomingMessage): string => {
  const path = validateRequestTarget(req.url ?? '');
  validateRequestHeaders(req);
  if (deps.config.DEPLOYMENT_MODE === 'local_trusted') {
    assertLocalRequest(req, publicPortOf(req));
  }
  return path;
};

/** Sends a problem response, unless the client disconnected or the response ended. */
const sendError = (
  { log }: Deps,
  { res, requestId, logFields }: RequestContext,
  thrown: unknown,
): void => {
  if (res.destroyed || res.writableEnded) {
    return;
  }
  const error = asAppError(thrown);
  applyPendingHeaders(res);
  logFields.reason = error.code;
  logFailure(log, error, requestId);
  sendProblem(res, error, requestId);
};
