import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouteContract } from '@commonplace/contracts';
import type { Caller } from '@commonplace/identity';
import type { Authentication } from '../auth/authenticators/authenticator.ts';
import { awaitBody, hasWholeBody } from './body/await-body.ts';
import type { BufferedBody } from './body/buffered-body.ts';
import type { RequestContext } from '../http/request-context.ts';
import { invalidateChanged } from '../auth/verification/invalidate.ts';
import type { GatewayContext } from '../create-gateway.ts';
import { createAuthorizer, type AuthorizedCaller } from '../auth/authorize-request.ts';
import { findCookie } from './session-cookie.ts';
import { buildUpstreamHeaders } from './upstream-headers.ts';
import { monitorStream } from './stream-monitor.ts';

/** A resolved route to a service. */
type ServiceRoute = {
  readonly contract: RouteContract;
  readonly params: Readonly<Record<string, string>>;
  /** Sends an error response and logs it. */
  readonly onError: (error: unknown) => void;
};

type ProxyContext = {
  readonly gateway: GatewayContext;
  readonly context: RequestContext;
  readonly route: ServiceRoute;
};

/**
 * The sender of a body that takes longer than this is authorized again. A cached verification is up to
 * 900 ms old: together they stay below the second within which a revocation holds.
 */
const reauthorizeAfterMs = 50;

/**
 * Authorizes a request, buffers its body, and forwards it with headers of the gateway's own making. The
 * service checks what remains. A sender whose body arrives late is authorized again, so that nobody can
 * complete a request after access was revoked.
 */
export const proxyRequest = async (proxy: ProxyContext): Promise<void> => {
  const { gateway, context, route } = proxy;
  const { req, res } = context;
  const authorizer = createAuthorizer({ gateway, context, ...route });
  const first = await authorizer.authorize();
  if (isResponseOver(res)) {
    return;
  }
  sendContinue(req, res);
  const held = hasWholeBody(req) ? null : await bufferBody(proxy, first);
  if (isResponseOver(res) || held?.body === 'gone') {
    return;
  }
  const authorized = held?.isLate ? await authorizer.reauthorize() : first;
  if (isResponseOver(res)) {
    return;
  }
  const { authentication, caller } = authorized;
  const isWatched = route.contract.deadlineMs === null && authentication !== null;
  if (isWatched) {
    gateway.limitStreams({ credentialId: authentication.credentialId, caller, res });
  }
  const upstream = sendUpstream(proxy, authorized, held?.body ?? null);
  if (isWatched) {
    const reauthorize = async (maxAgeMs: number) => (await authorizer.reauthorize(maxAgeMs)).caller;
    monitorStream({
      res,
      upstream,
      caller,
      reauthorize,
      draining: gateway.deps.draining,
    });
  }
};

/** The client disconnected, or an unreadable request behind this one ended the connection. */
const isResponseOver = (res: ServerResponse): boolean => res.destroyed || res.writableEnded;

/** RFC 9110 section 10.1.1: clients of HTTP/1.0 do not know 100. */
const sendContinue = (req: IncomingMessage, res: ServerResponse): void => {
  if (req.headers.expect !== undefined && req.httpVersion !== '1.0') {
    res.writeContinue();
  }
};

type BufferedRequest = {
  readonly body: BufferedBody | 'gone' | null;
  /** The body took so long that the sender may have lost access. */
  readonly isLate: boolean;
};

const bufferBody = async (
  { gateway, context, route }: ProxyContext,
  { authentication }: AuthorizedCaller,
): Promise<BufferedRequest> => {
  const { req, res, address } = context;
  const { monotonicMs } = gateway.deps.clock;
  const credentialId = authentication?.credentialId ?? null;
  const startedAtMs = monotonicMs();
  const body = await awaitBody({
    req,
    res,
    contract: route.contract,
    openAccount: () => gateway.bodyBudget({ address, credentialId }),
  });
  return { body, isLate: monotonicMs() - startedAtMs > reauthorizeAfterMs };
};

/** Replaces the request's headers, then forwards it. */
const sendUpstream = (
  proxy: ProxyContext,
  { authentication, caller }: AuthorizedCaller,
  body: BufferedBody | null,
) => {
  const { gateway, context, route } = proxy;
  const { req, requestId, address } = context;
  const { contract, params, onError } = route;
  req.headers = buildUpstreamHeaders(req.headers, {
    requestId,
    address,
    identity: caller && gateway.identityTokenFor(caller),
    companyId: caller && callerCompanyId(caller),
    cookie: takesSessionCookie(proxy, authentication)
      ? findCookie(req.headers.cookie, gateway.cookieName)
      : null,
    bodyBytes: knownBodyBytes(req, body),
  });
  return gateway.forward(req, context.res, {
    contract,
    body,
    onError,
    onResponse: (status) => {
      if (status < 400) {
        invalidateChanged({ method: req.method, contract, params, caller }, gateway.caches);
      }
    },
  });
};

/** The length of a body that is here in full, so that the service gets a `Content-Length`. */
const knownBodyBytes = (req: IncomingMessage, body: BufferedBody | null): number | null => {
  if (body) {
    return body.rest === null ? body.bytes : null;
  }
  const isChunked = req.headers['transfer-encoding'] !== undefined;
  return isChunked && req.complete ? req.readableLength : null;
};

const callerCompanyId = (caller: Caller): string | null => {
  if (caller.kind === 'service') {
    return null;
  }
  return caller.kind === 'agent' ? caller.companyId : caller.selectedCompanyId;
};

/** Only the auth service sees the cookie, and only where cookies are credentials. */
const takesSessionCookie = (
  { gateway, route }: ProxyContext,
  authentication: Authentication | null,
): boolean =>
  route.contract.service === 'auth' &&
  gateway.deps.config.DEPLOYMENT_MODE === 'authenticated' &&
  authentication?.method !== 'bearer';
