import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, type ServiceName } from '@commonplace/contracts';
import { flightOf, type Carrier, type Flight, type FlightPlan, type Underway } from './flight.ts';
import { serviceProxy } from './service-proxy.ts';
import { timeUp } from './upstream-error.ts';

/** Sends a request, whose headers are rebuilt already, to the service of its contract. */
export type Forward = (req: IncomingMessage, res: ServerResponse, plan: FlightPlan) => Flight;

const deadlineMsDefault = 30_000;

/** Makes the function that forwards, with a proxy for each service. */
export const forwarder = (
  upstreams: Readonly<Record<ServiceName, readonly [string, ...string[]]>>,
): Forward => {
  const proxies = {
    auth: serviceProxy(upstreams.auth),
    agents: serviceProxy(upstreams.agents),
    notes: serviceProxy(upstreams.notes),
  };
  return (req: Carrier, res, plan) => {
    const flight: Underway = { ...plan };
    req[flightOf] = flight;
    limitTime(flight, req, res);
    proxies[plan.contract.service](req, res);
    return { end: (error) => endFlight(flight, res, error) };
  };
};

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

const endFlight = (flight: Underway, res: ServerResponse, error: AppError): void => {
  if (res.headersSent) {
    res.end();
  } else {
    flight.onError(error);
  }
  flight.proxyReq?.destroy();
};
