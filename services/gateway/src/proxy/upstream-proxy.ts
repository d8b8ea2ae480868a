import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppError } from '@commonplace/contracts';
import { serviceAgent } from '@commonplace/http/core';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import { attachBody, outgoingBodies } from './body/outgoing-body.ts';
import { relayResponse } from './relay-response.ts';
import { buildResponseHeaders } from './response-headers.ts';
import { upstreamTimeout, upstreamError } from './upstream-error.ts';
import {
  upstreamState,
  type ProxiedRequest,
  type UpstreamRequestState,
} from './upstream-request.ts';

/** Sends a request with its upstream state to one service. */
export type UpstreamProxy = (req: ProxiedRequest, res: ServerResponse) => void;

/** The longest silence of a stream. The services send a comment every 15 s. */
const streamIdleMs = 60_000;

/**
 * Creates the proxy of a service, with its own keep-alive agent, which chooses the process that gets a request. The
 * stock plug-ins of the proxy are not used: one logs target URLs, one sends its own error pages.
 */
export const createUpstreamProxy = (baseUrls: readonly [string, ...string[]]): UpstreamProxy => {
  const agent = serviceAgent(baseUrls);
  const proxy = createProxyMiddleware<ProxiedRequest>({
    target: targetOf(baseUrls[0]),
    agent,
    buffer: outgoingBodies,
    changeOrigin: true,
    selfHandleResponse: true,
    ejectPlugins: true,
    plugins: [proxyEventsPlugin],
    on: {
      proxyReq: (proxyReq, req) => {
        const upstream = req[upstreamState];
        if (upstream) {
          upstream.proxyReq = proxyReq;
          limitSilence(upstream);
          moveBody(upstream);
        }
      },
      proxyRes: (proxyRes, req, res) => {
        const upstream = req[upstreamState];
        if (upstream) {
          upstream.proxyRes = proxyRes;
          agent.observeResponse(proxyRes);
          upstream.onResponse(proxyRes.statusCode ?? 0);
          relay(proxyRes, res, upstream);
        }
      },
      error: (error, req, res) => {
        const upstream = req[upstreamState];
        const problem = upstreamError(error);
        const isOpen = !res.closed && !res.writableEnded;
        if (upstream && isOpen && canRetry(upstream, req, problem)) {
          upstream.isRetried = true;
          void proxy(req, res as ServerResponse);
        } else {
          upstream?.onError(problem);
        }
      },
    },
  });
  return (req, res) => void proxy(req, res);
};

const relay = (
  upstreamResponse: IncomingMessage,
  res: ServerResponse,
  { contract: { service } }: UpstreamRequestState,
): void =>
  relayResponse({
    upstreamResponse,
    res,
    headers: () => buildResponseHeaders(upstreamResponse, res, service),
  });

/** Moves the body to the upstream request, so that nothing else keeps it in memory. */
const moveBody = (upstream: UpstreamRequestState): void => {
  const { proxyReq, body } = upstream;
  if (proxyReq && body && body.kind !== 'none') {
    attachBody(proxyReq, body);
    upstream.body = null;
  }
};

/** The URL as an object, because the proxy would parse a string for every request. */
const targetOf = (baseUrl: string) => {
  const { protocol, host, hostname, port } = new URL(baseUrl);
  return { protocol, host, hostname: hostname.replaceAll(/^\[|\]$/g, ''), port };
};

/**
 * Whether a failed request can be sent again, to another process if there is one: only a read without a body, whose
 * service became unreachable before it responded. Anything else may have been executed, so the client decides.
 */
const canRetry = (upstream: UpstreamRequestState, { method }: IncomingMessage, problem: AppError) =>
  (method === 'GET' || method === 'HEAD') &&
  upstream.body?.kind === 'none' &&
  problem.code === 'service_unavailable' &&
  !upstream.isRetried &&
  upstream.proxyRes === undefined;

const limitSilence = ({ contract, proxyReq }: UpstreamRequestState): void => {
  if (contract.deadlineMs === null) {
    proxyReq?.setTimeout(streamIdleMs, () => proxyReq.destroy(upstreamTimeout()));
  }
};
