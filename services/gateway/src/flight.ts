import type { ClientRequest, IncomingMessage } from 'node:http';
import type { AppError, RouteContract } from '@commonplace/contracts';
import type { HeldBody } from './bodies/held-body.ts';

/** A request on its way to a service. */
export type Flight = {
  /** Settles the answer with an error, or ends it where it stands once its headers are out. */
  readonly end: (error: AppError) => void;
};

/** What is to become of a flight. */
export type FlightPlan = {
  readonly contract: RouteContract;
  /** The body, where it was waited for; null: it is still with the request, or there is none. */
  readonly body: HeldBody | null;
  /** Told of the status before the client gets the answer. */
  readonly onAnswer: (status: number) => void;
  /** Answers the client with an error; also when the answer has begun, and then cuts it. */
  readonly onError: (error: AppError) => void;
};

/** A flight as far as it has come. */
export type Underway = Omit<FlightPlan, 'body'> & {
  body: HeldBody | null;
  isRepeated?: boolean;
  proxyReq?: ClientRequest;
  proxyRes?: IncomingMessage;
};

/**
 * Ties a request to what is known of its flight, for the hooks of the proxy. It is a property and not
 * a WeakMap: a weak entry keeps whole requests alive until the next full collection.
 */
export const flightOf = Symbol('flight');
/** A request that knows its flight. */
export type Carrier = IncomingMessage & { [flightOf]?: Underway };
