import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Stream } from 'node:stream';
import type { AppError } from '@commonplace/contracts';
import { serviceAgent, type ServiceAgent } from '@commonplace/http/core';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import { attachBody, bufferedBodies, emptyBody } from './body/buffered-body.ts';
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
 * Creates the proxy of a service, with its own keep-alive agent. The stock plug-ins of the proxy are not used:
 * one logs target URLs, one sends its own error pages.
 */
export const createUpstreamProxy = (baseUrls: readonly [string, ...string[]]): UpstreamProxy => {
  const agent = serviceAgent(baseUrls);
  const options = { target: targetOf(baseUrls[0]), agent };
  const streaming = proxyWith(options);
  const buffered = proxyWith({ ...options, buffer: bufferedBodies });
  const bodiless = proxyWith({ ...options, buffer: emptyBody });
  return (req, res) => {
    const isBuffered = Boolean(req[upstreamState]?.body);
    const proxy = isBuffered ? buffered : hasBody(req) ? streaming : bodiless;
    void proxy(req, res);
  };
};

const proxyWith = (options: {
  /** The URL of the requests. The agent chooses the process that gets them. */
  readonly target: ReturnType<typeof targetOf>;
  readonly agent: ServiceAgent;
  /** Replaces the request's own body when that is empty or was read already. */
  readonly buffer?: Stream;
}) => {
  const { agent, buffer } = options;
  const proxy = createProxyMiddleware<ProxiedRequest>({
    ...options,
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
          if (upstream.body) {
            prepareBufferedBody(proxyReq, upstream);
          } else if (!buffer) {
            prepareStreamedBody(proxyReq, req);
          }
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
        if (upstream && buffer && isOpen && canRetry(upstream, req, problem)) {
          upstream.isRetried = true;
          void proxy(req, res as ServerResponse);
        } else {
          upstream?.onError(problem);
        }
      },
    },
  });
  return proxy;
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

const prepareStreamedBody = (proxyReq: ClientRequest, req: IncomingMessage): void => {
  // The proxy closes the connection after a chunked request. If a service responds before it has read the
  // body, that cuts the connection and loses up to one of 14 responses.
  proxyReq.setHeader('Connection', 'keep-alive');
  if (req.readableLength === 0 && !req.complete) {
    // Node holds the headers back until the body begins, and the signed identity expires after 10 s.
    proxyReq.flushHeaders();
  }
};

/** Moves the body to the upstream request, so that nothing else keeps it in memory. */
const prepareBufferedBody = (proxyReq: ClientRequest, upstream: UpstreamRequestState): void => {
  proxyReq.setHeader('Connection', 'keep-alive');
  attachBody(proxyReq, upstream.body);
  upstream.body = null;
};

/** The URL as an object, because the proxy would parse a string for every request. */
const targetOf = (baseUrl: string) => {
  const { protocol, host, hostname, port } = new URL(baseUrl);
  return { protocol, host, hostname: hostname.replaceAll(/^\[|\]$/g, ''), port };
};

/**
 * Whether a failed request can be sent again, to another process if there is one: only a read whose service
 * became unreachable before it responded. Anything else may have been executed, so the client decides.
 */
const canRetry = (upstream: UpstreamRequestState, { method }: IncomingMessage, problem: AppError) =>
  (method === 'GET' || method === 'HEAD') &&
  problem.code === 'service_unavailable' &&
  !upstream.isRetried &&
  upstream.proxyRes === undefined;

/** RFC 9112 section 6.3: a request with neither header has no body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

const limitSilence = ({ contract, proxyReq }: UpstreamRequestState): void => {
  if (contract.deadlineMs === null) {
    proxyReq?.setTimeout(streamIdleMs, () => proxyReq.destroy(upstreamTimeout()));
  }
};
