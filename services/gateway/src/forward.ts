import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { AppError, type RouteContract, type ServiceName } from '@commonplace/contracts';
import { serviceAgent } from '@commonplace/http/core';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import { cleanAnswer } from './clean-answer.ts';
import { timeUp, upstreamError } from './upstream-error.ts';

/** A request on its way to a service. */
export type Flight = {
  /** Settles the answer with an error, or ends it where it stands once its headers are out. */
  readonly end: (error: AppError) => void;
};

type FlightPlan = {
  readonly contract: RouteContract;
  /** Told of the status before the client gets the answer. */
  readonly onAnswer: (status: number) => void;
  /** Answers the client with an error; also when the answer has begun, and then cuts it. */
  readonly onError: (error: AppError) => void;
};

/** Sends a request, whose headers are rebuilt already, to the service of its contract. */
export type Forward = (req: IncomingMessage, res: ServerResponse, plan: FlightPlan) => Flight;

type Underway = FlightPlan & {
  isRepeated?: boolean;
  proxyReq?: ClientRequest;
  proxyRes?: IncomingMessage;
};

const deadlineMsDefault = 30_000;
/** Streams may last, but not in silence; ours send a comment every 15 s. */
const streamIdleMs = 60_000;

/**
 * Ties a request to what is known of its flight, for the hooks of the proxy. It is a property and not
 * a WeakMap: a weak entry keeps whole requests alive until the next full collection.
 */
const flightOf = Symbol('flight');
type Carrier = IncomingMessage & { [flightOf]?: Underway };

/**
 * Makes the proxies, one per service with a keep-alive agent of its own. The stock plug-ins stay out:
 * one logs target URLs, one answers errors in a text of its own.
 */
export const forwarder = (
  upstreams: Readonly<Record<ServiceName, readonly [string, ...string[]]>>,
): Forward => {
  const proxies = {
    auth: proxyTo(upstreams.auth),
    agents: proxyTo(upstreams.agents),
    notes: proxyTo(upstreams.notes),
  };
  return (req: Carrier, res, plan) => {
    const flight: Underway = { ...plan };
    req[flightOf] = flight;
    limitTime(flight, req, res);
    void proxies[plan.contract.service](req, res);
    return { end: (error) => endFlight(flight, res, error) };
  };
};

const proxyTo = (baseUrls: readonly [string, ...string[]]) => {
  const agent = serviceAgent(baseUrls);
  const proxy = createProxyMiddleware<Carrier>({
    // What the requests say; the agent decides which process of the service gets them.
    target: targetOf(baseUrls[0]),
    changeOrigin: true,
    agent,
    ejectPlugins: true,
    plugins: [proxyEventsPlugin],
    on: {
      proxyReq: (proxyReq, req) => {
        const flight = req[flightOf];
        if (flight) {
          flight.proxyReq = proxyReq;
          limitSilence(flight);
          // The proxy ends the connection after a chunked request. A service that answers before it has
          // read the body then cuts it, and its answer is lost in up to one of 14 requests (measured).
          proxyReq.setHeader('Connection', 'keep-alive');
          if (!req.complete) {
            // Node holds the headers back until there is a body, and the signed identity ends in 10 s.
            proxyReq.flushHeaders();
          }
        }
      },
      proxyRes: (proxyRes, req, res) => {
        const flight = req[flightOf];
        if (flight) {
          flight.proxyRes = proxyRes;
          agent.heed(proxyRes);
          cleanAnswer(proxyRes, res, flight.contract.service);
          flight.onAnswer(proxyRes.statusCode ?? 0);
        }
      },
      error: (error, req, res) => {
        const flight = req[flightOf];
        const problem = upstreamError(error);
        if (flight && !res.closed && !res.writableEnded && mayRepeat(flight, req, problem)) {
          flight.isRepeated = true;
          void proxy(req, res as ServerResponse);
        } else {
          flight?.onError(problem);
        }
      },
    },
  });
  return proxy;
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
const mayRepeat = (flight: Underway, { method, headers }: IncomingMessage, problem: AppError) =>
  (method === 'GET' || method === 'HEAD') &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  problem.code === 'service_unavailable' &&
  !flight.isRepeated &&
  flight.proxyRes === undefined;

/**
 * The absolute deadline: an idle limit alone lets an answer drip for ever. Where the request itself has
 * not arrived by then, the service is not to blame.
 */
const limitTime = (flight: Underway, req: IncomingMessage, res: ServerResponse): void => {
  const { deadlineMs = deadlineMsDefault } = flight.contract;
  if (deadlineMs === null) {
    return;
  }
  const timer = setTimeout(() => {
    if (req.complete || res.headersSent) {
      flight.proxyReq?.destroy(timeUp());
      return;
    }
    res.setHeader('Connection', 'close');
    endFlight(flight, res, new AppError('request_timeout'));
  }, deadlineMs);
  res.once('close', () => clearTimeout(timer));
};

const limitSilence = ({ contract, proxyReq }: Underway): void => {
  if (contract.deadlineMs === null) {
    proxyReq?.setTimeout(streamIdleMs, () => proxyReq.destroy(timeUp()));
  }
};

const endFlight = (flight: Underway, res: ServerResponse, error: AppError): void => {
  if (res.headersSent) {
    flight.proxyRes?.unpipe(res);
    res.end();
  } else {
    flight.onError(error);
  }
  flight.proxyReq?.destroy();
};
