import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, type ServiceName } from '@commonplace/contracts';
import {
  upstreamState,
  type ProxiedRequest,
  type UpstreamRequest,
  type UpstreamRequestOptions,
  type UpstreamRequestState,
} from './upstream-request.ts';
import { createUpstreamProxy } from './upstream-proxy.ts';
import { upstreamTimeout } from './upstream-error.ts';

/** Sends a request, whose headers are rebuilt already, to the service of its contract. */
export type Forward = (
  req: IncomingMessage,
  res: ServerResponse,
  plan: UpstreamRequestOptions,
) => UpstreamRequest;

const deadlineMsDefault = 30_000;

/** Makes the function that forwards, with a proxy for each service. */
export const createForward = (
  upstreams: Readonly<Record<ServiceName, readonly [string, ...string[]]>>,
): Forward => {
  const proxies = {
    auth: createUpstreamProxy(upstreams.auth),
    agents: createUpstreamProxy(upstreams.agents),
    notes: createUpstreamProxy(upstreams.notes),
  };
  return (req: ProxiedRequest, res, plan) => {
    const upstream: UpstreamRequestState = { ...plan };
    req[upstreamState] = upstream;
    limitTime(upstream, req, res);
    proxies[plan.contract.service](req, res);
    return { abort: (error) => abortUpstream(upstream, res, error) };
  };
};

/**
 * The absolute deadline: an idle limit alone lets an answer drip for ever. Where the request itself has
 * not arrived by then, the service is not to blame.
 */
const limitTime = (
  upstream: UpstreamRequestState,
  req: IncomingMessage,
  res: ServerResponse,
): void => {
  const { deadlineMs = deadlineMsDefault } = upstream.contract;
  if (deadlineMs === null) {
    return;
  }
  const timer = setTimeout(() => {
    if (req.complete || res.headersSent) {
      upstream.proxyReq?.destroy(upstreamTimeout());
      return;
    }
    res.setHeader('Connection', 'close');
    abortUpstream(upstream, res, new AppError('request_timeout'));
  }, deadlineMs);
  res.once('close', () => clearTimeout(timer));
};

const abortUpstream = (
  upstream: UpstreamRequestState,
  res: ServerResponse,
  error: AppError,
): void => {
  if (res.headersSent) {
    res.end();
  } else {
    upstream.onError(error);
  }
  upstream.proxyReq?.destroy();
};
