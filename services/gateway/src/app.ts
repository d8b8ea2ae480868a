import type { RequestListener } from 'node:http';
import {
  asAppError,
  errorResponse,
  isStreamRequest,
  logFailure,
  requestLines,
} from '@commonplace/http/core';
import type { ErrorShape } from '@commonplace/contracts';
import { traceIdOf, withFirstSpan } from '@commonplace/tracing';
import { createGateway, type GatewayContext, type Target } from './create-gateway.ts';
import type { Deps } from './deps.ts';
import { logAccess } from './http/access-log.ts';
import { endWithResponse } from './http/request-span.ts';
import { sendLocalResponse } from './http/local-response.ts';
import { createRequestContext, type RequestContext } from './http/request-context.ts';

/** The gateway as a request listener. All its state is in memory and can be lost at any time. */
export const createApp = (deps: Deps): RequestListener => {
  const gateway = createGateway(deps);
  const accessLog = { ...deps, log: requestLines(deps.log) };
  return (req, res) => {
    const context = createRequestContext(
      { req, res },
      {
        address: gateway.clientAddressOf(req),
        startedAtMs: deps.clock.monotonicMs(),
        isHttps: gateway.isHttps,
      },
    );
    const onError: OnError = (error, shape) => sendError(deps, context, { thrown: error, shape });
    logAccess(context, accessLog);
    endWithResponse(context);
    void withFirstSpan(context.span, () =>
      handleRequest(gateway, context, onError).catch((error: unknown) => onError(error)),
    );
  };
};

/** Sends an error, in the shape of a route once that is known. */
type OnError = (error: unknown, shape?: ErrorShape) => void;

/**
 * The stages of a request: validate, preflight, route, then serve it locally or proxy it. `proxyRequest` has
 * the stages of a proxied request.
 */
const handleRequest = async (
  gateway: GatewayContext,
  context: RequestContext,
  onError: OnError,
): Promise<void> => {
  const { req, res } = context;
  const path = gateway.validateRequest(req);
  const match = gateway.router.match(path);
  const preflight = {
    allowedMethods: () => gateway.router.allowedMethods(match),
    allowsAnyOrigin: () => gateway.router.targets(match).some(allowsAnyOrigin),
  };
  if (gateway.cors.preflight(req, res, preflight)) {
    return;
  }
  if (!match && gateway.serveConsolePage(context, path)) {
    return;
  }
  const { route, params } = gateway.router.resolve(match, req.method ?? '');
  context.logFields.route = route.target.kind === 'local' ? route.target.label : route.path;
  if (route.target.kind === 'local') {
    await route.target.handle(context);
    return;
  }
  if (route.target.contract.hasPage === true && gateway.serveConsolePage(context, path)) {
    return;
  }
  gateway.cors.applyHeaders(req, res, allowsAnyOrigin(route.target));
  const isStream = isStreamRequest(route.target.contract, req);
  context.logFields.isStream = isStream;
  const contract = isStream
    ? { ...route.target.contract, deadlineMs: null }
    : route.target.contract;
  const onRouteError = (error: unknown) => onError(error, contract.errorShape);
  await gateway
    .proxyRequest(context, { contract, params, onError: onRouteError })
    .catch(onRouteError);
};

/** Whether pages of any origin may read the responses of a route. */
const allowsAnyOrigin = (target: Target): boolean =>
  target.kind === 'service' && target.contract.anyOrigin === true;

type Failed = { readonly thrown: unknown; readonly shape: ErrorShape | undefined };

/** Sends the response for an error, unless the client disconnected or the response ended. */
const sendError = ({ log }: Deps, context: RequestContext, { thrown, shape }: Failed): void => {
  const { res, requestId, logFields, span } = context;
  if (res.destroyed || res.writableEnded) {
    return;
  }
  const error = asAppError(thrown);
  logFields.reason = error.code;
  logFailure(log, error, requestId, traceIdOf(span));
  sendLocalResponse(res, errorResponse(error, requestId, shape));
};
