import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Stream } from 'node:stream';
import type { AppError } from '@commonplace/contracts';
import { serviceAgent, type ServiceAgent } from '@commonplace/http/core';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import { buildResponseHeaders } from './response-headers.ts';
import { attachBody, bufferedBodies } from './body/buffered-body.ts';
import {
  upstreamState,
  type ProxiedRequest,
  type UpstreamRequestState,
} from './upstream-request.ts';
import { relayResponse } from './relay-response.ts';
import { emptyBody } from './empty-body.ts';
import { upstreamTimeout, upstreamError } from './upstream-error.ts';

/** Sends a request with its upstream on to one service. */
export type UpstreamProxy = (req: ProxiedRequest, res: ServerResponse) => void;

/** Streams may last, but not in silence; ours send a comment every 15 s. */
const streamIdleMs = 60_000;

/**
 * Makes the proxy of a service, with a keep-alive agent of its own. The stock plug-ins stay out: one logs
 * target URLs, one answers errors in a text of its own.
 */
export const createUpstreamProxy = (baseUrls: readonly [string, ...string[]]): UpstreamProxy => {
  const agent = serviceAgent(baseUrls);
  const options = { target: targetOf(baseUrls[0]), agent };
  const withBody = proxyWith(options);
  const withHeldBody = proxyWith({ ...options, buffer: bufferedBodies });
  const bodiless = proxyWith({ ...options, buffer: emptyBody });
  return (req, res) => {
    const isHeld = Boolean(req[upstreamState]?.body);
    const proxy = isHeld ? withHeldBody : hasBody(req) ? withBody : bodiless;
    void proxy(req, res);
  };
};

const proxyWith = (options: {
  /** What the requests say; the agent decides which process of the service gets them. */
  readonly target: ReturnType<typeof targetOf>;
  readonly agent: ServiceAgent;
  /** What is sent in place of the request's own body: where there is none, or it was read already. */
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
            prepareHeldBody(proxyReq, upstream);
          } else if (!buffer) {
            prepareForBody(proxyReq, req);
          }
        }
      },
      proxyRes: (proxyRes, req, res) => {
        const upstream = req[upstreamState];
        if (upstream) {
          upstream.proxyRes = proxyRes;
          agent.heed(proxyRes);
          upstream.onResponse(proxyRes.statusCode ?? 0);
          relay(proxyRes, res, upstream);
        }
      },
      error: (error, req, res) => {
        const upstream = req[upstreamState];
        const problem = upstreamError(error);
        const isOpen = !res.closed && !res.writableEnded;
        if (upstream && buffer && isOpen && mayRetry(upstream, req, problem)) {
          upstream.isRepeated = true;
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

const prepareForBody = (proxyReq: ClientRequest, req: IncomingMessage): void => {
  // The proxy ends the connection after a chunked request. A service that answers before it has
  // read the body then cuts it, and its answer is lost in up to one of 14 requests (measured).
  proxyReq.setHeader('Connection', 'keep-alive');
  if (req.readableLength === 0 && !req.complete) {
    // Node holds the headers back until there is a body, and the signed identity ends in 10 s.
    proxyReq.flushHeaders();
  }
};

/** From here on the body belongs to the request to the service alone, so that it is not kept longer. */
const prepareHeldBody = (proxyReq: ClientRequest, upstream: UpstreamRequestState): void => {
  proxyReq.setHeader('Connection', 'keep-alive');
  attachBody(proxyReq, upstream.body);
  upstream.body = null;
};

/** In parts, because the proxy would take a text apart anew with every request. */
const targetOf = (baseUrl: string) => {
  const { protocol, host, hostname, port } = new URL(baseUrl);
  return { protocol, host, hostname: hostname.replaceAll(/^\[|\]$/g, ''), port };
};

/**
 * A read whose process went away before it said anything is put once more, to another process when there
 * is one. Anything else may have been done already, so that is for the client to decide.
 */
const mayRetry = (upstream: UpstreamRequestState, { method }: IncomingMessage, problem: AppError) =>
  (method === 'GET' || method === 'HEAD') &&
  problem.code === 'service_unavailable' &&
  !upstream.isRepeated &&
  upstream.proxyRes === undefined;

/** RFC 9112 section 6.3: a request that says nothing of a body has none. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

const limitSilence = ({ contract, proxyReq }: UpstreamRequestState): void => {
  if (contract.deadlineMs === null) {
    proxyReq?.setTimeout(streamIdleMs, () => proxyReq.destroy(upstreamTimeout()));
  }
};
