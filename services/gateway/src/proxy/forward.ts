import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, type ServiceName } from '@commonplace/contracts';
import { upstreamTimeout } from './upstream-error.ts';
import { createUpstreamProxy } from './upstream-proxy.ts';
import {
  upstreamState,
  type ProxiedRequest,
  type UpstreamRequest,
  type UpstreamRequestOptions,
  type UpstreamRequestState,
} from './upstream-request.ts';

/** Forwards a request, whose headers are replaced already, to the service of its contract. */
export type Forward = (
  req: IncomingMessage,
  res: ServerResponse,
  options: UpstreamRequestOptions,
) => UpstreamRequest;

const deadlineMsDefault = 30_000;

/** Creates the function that forwards requests, with a proxy per service. */
export const createForward = (
  upstreams: Readonly<Record<ServiceName, readonly [string, ...string[]]>>,
): Forward => {
  const proxies = {
    auth: createUpstreamProxy(upstreams.auth),
    agents: createUpstreamProxy(upstreams.agents),
    notes: createUpstreamProxy(upstreams.notes),
  };
  return (req: ProxiedRequest, res, options) => {
    const upstream: UpstreamRequestState = { ...options };
    req[upstreamState] = upstream;
    setDeadline(upstream, req, res);
    proxies[options.contract.service](req, res);
    return { abort: (error) => abortUpstream(upstream, res, error) };
  };
};

/**
 * Sets the absolute deadline; with an idle timeout alone a response could trickle forever. If the client has not
 * sent the request by then, it gets 408 and not 504.
 */
const setDeadline = (
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
