import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouteContract } from '@commonplace/contracts';
import { traceparentOf, withoutSpan } from '@commonplace/tracing';
import type { Caller } from '@commonplace/identity';
import type { IdentityTokenFor } from '../auth/identity-token-cache.ts';
import type { Invalidatable } from '../auth/verification/cache.ts';
import type { Clock } from '../deps.ts';
import type { RequestContext } from '../http/request-context.ts';
import { countMessages } from '../limits/count-messages.ts';
import type { BodyBudget } from '../limits/body-budget.ts';
import { companyOf } from '../limits/company-of.ts';
import type { LimitStreams } from '../limits/stream-limit.ts';
import {
  createAuthorizer,
  type AuthorizationDeps,
  type AuthorizedCaller,
} from './authorize-request.ts';
import { bufferBody } from './body/buffer-body.ts';
import { completeBytes, type BufferedBody, type OutgoingBody } from './body/outgoing-body.ts';
import { announcedBytes, planBody } from './body/plan-body.ts';
import type { Forward } from './forward.ts';
import { invalidateChanged } from './invalidate-caches.ts';
import { monitorStream } from './stream-monitor.ts';
import { startUpstreamSpan } from './upstream-span.ts';
import { buildUpstreamHeaders, findCookies } from './upstream-headers.ts';
import type { UpstreamRequest } from './upstream-request.ts';

export type ProxyDeps = AuthorizationDeps & {
  readonly clock: Clock;
  /** Aborted when shutdown begins. */
  readonly draining: AbortSignal;
  readonly bodyBudget: BodyBudget;
  readonly limitStreams: LimitStreams;
  readonly identityTokenFor: IdentityTokenFor;
  readonly forward: Forward;
  /** The caches that a successful change invalidates. */
  readonly caches: readonly Invalidatable[];
  /** The cookie that the auth service gets; null where cookies are not credentials. */
  readonly sessionCookieName: string | null;
  /** Whether clients reach this site by https, which decides the names of cookies. */
  readonly isHttps: boolean;
};

/** A resolved route to a service. */
type ServiceRoute = {
  readonly contract: RouteContract;
  readonly params: Readonly<Record<string, string>>;
  /** Sends an error response and logs it. */
  readonly onError: (error: unknown) => void;
};

/** Authorizes a request and forwards it to its service. */
export type ProxyRequest = (context: RequestContext, route: ServiceRoute) => Promise<void>;

type Proxied = {
  readonly deps: ProxyDeps;
  readonly context: RequestContext;
  readonly route: ServiceRoute;
};

/**
 * The sender of a body that takes longer than this is authorized again. A cached verification is up to
 * 900 ms old: together they stay below the second within which a revocation holds.
 */
const reauthorizeAfterMs = 50;

/**
 * Creates the stages of a proxied request: authorize, buffer the body, authorize again if that took long, and
 * forward with headers of the gateway's own making. The service makes the remaining checks. The second
 * authorization keeps anyone from completing a request after access was revoked.
 */
export const createProxyRequest =
  (deps: ProxyDeps): ProxyRequest =>
  async (context, route) => {
    const proxied = { deps, context, route };
    const { req, res } = context;
    const authorizer = createAuthorizer(deps, { context, ...route });
    const first = await authorizer.authorize();
    if (isResponseOver(res)) {
      return;
    }
    sendContinue(req, res);
    const plan = planBody(req, route.contract);
    const body =
      plan === 'buffer'
        ? await awaitBody(proxied, first)
        : plan === 'none'
          ? noBody
          : streamed(req);
    if (isResponseOver(res) || body === null) {
      return;
    }
    limitMessages(proxied, first, body);
    const authorized = isLate(body) ? await authorizer.reauthorize() : first;
    if (isResponseOver(res)) {
      return;
    }
    const { authentication, caller } = authorized;
    const isStream = route.contract.deadlineMs === null && authentication !== null;
    if (isStream) {
      deps.limitStreams({ credentialId: authentication.credentialId, caller, res });
    }
    const upstream = sendUpstream(proxied, authorized, body);
    if (isStream) {
      // Its lookups go on for hours, and are not part of the trace.
      withoutSpan(() =>
        monitorStream({
          res,
          upstream,
          caller,
          reauthorize: async (maxAgeMs) => (await authorizer.reauthorize(maxAgeMs)).caller,
          draining: deps.draining,
        }),
      );
    }
  };

/** The client disconnected, or an unreadable request behind this one ended the connection. */
const isResponseOver = (res: ServerResponse): boolean => res.destroyed || res.writableEnded;

/** RFC 9110 section 10.1.1: a client of HTTP/1.0 does not know 100. */
const sendContinue = (req: IncomingMessage, res: ServerResponse): void => {
  if (req.headers.expect !== undefined && req.httpVersion !== '1.0') {
    res.writeContinue();
  }
};

const noBody: OutgoingBody = { kind: 'none' };
const streamed = (req: IncomingMessage): OutgoingBody => ({ kind: 'streamed', req });

/** Waits for the body of a request at the cost of its sender; null when the client disconnected. */
const awaitBody = (
  { deps, context, route }: Proxied,
  { authentication, caller }: AuthorizedCaller,
): Promise<BufferedBody | null> => {
  const { req, res, address } = context;
  const credentialId = authentication?.credentialId ?? null;
  const sender = { address, credentialId, companyId: caller && companyOf(caller) };
  return bufferBody({
    req,
    res,
    contract: route.contract,
    clock: deps.clock,
    openAccount: (onLost) => deps.bodyBudget(sender, onLost),
  });
};

/** Whether a body took so long that its sender may have lost access. */
const isLate = (body: OutgoingBody): boolean =>
  body.kind === 'buffered' && body.waitedMs > reauthorizeAfterMs;

/** The request has consumed the token of its first message. The service rejects a body that is too long. */
const limitMessages = (
  { deps, route }: Proxied,
  { authentication }: AuthorizedCaller,
  body: OutgoingBody,
): void => {
  const isWhole = body.kind === 'buffered' && body.rest === null;
  if (route.contract.countsMessages && authentication && isWhole) {
    const messages = countMessages(body.blocks);
    if (messages > 1) {
      deps.limitRate.forMore(authentication.credentialId, messages - 1);
    }
  }
};

/** Replaces the request's headers, then forwards it. */
const sendUpstream = (
  { deps, context, route }: Proxied,
  { authentication, caller }: AuthorizedCaller,
  body: OutgoingBody,
): UpstreamRequest => {
  const { req, res, requestId, address } = context;
  const span = startUpstreamSpan(context, route.contract);
  const { contract, params, onError } = route;
  const bodyBytes = completeBytes(body);
  // Read now, because the headers are replaced.
  const sentBytes = body.kind === 'none' ? 0 : (bodyBytes ?? announcedBytes(req));
  req.headers = buildUpstreamHeaders(req.headers, {
    requestId,
    address,
    traceparent: traceparentOf(span) ?? traceparentOf(context.span),
    identity: caller && deps.identityTokenFor(caller),
    companyId: caller && callerCompanyId(caller),
    cookie:
      contract.service === 'auth' && authentication?.method !== 'bearer'
        ? findCookies(req.headers.cookie, deps, contract)
        : null,
    bodyBytes,
  });
  return deps.forward(req, res, {
    contract,
    body,
    onError,
    onResponse: (status) => {
      span.setAttribute('http.response.status_code', status);
      if (status < 400) {
        const change = { method: req.method, contract, params, caller, bodyBytes: sentBytes };
        invalidateChanged(change, deps.caches);
      }
    },
  });
};

const callerCompanyId = (caller: Caller): string | null => {
  if (caller.kind === 'service') {
    return null;
  }
  return caller.kind === 'agent' ? caller.companyId : caller.selectedCompanyId;
};
