import type { ClientRequest, IncomingMessage } from 'node:http';
import type { AppError, RouteContract } from '@commonplace/contracts';
import type { OutgoingBody } from './body/outgoing-body.ts';

/** A request to a service that is in flight. */
export type UpstreamRequest = {
  /** Sends the error to the client or, once the response has begun, ends the response. */
  readonly abort: (error: AppError) => void;
};

export type UpstreamRequestOptions = {
  readonly contract: RouteContract;
  readonly body: OutgoingBody;
  /** Called with the status before the client gets the response. */
  readonly onResponse: (status: number) => void;
  /** Sends the error to the client, or closes the connection when the response has begun. */
  readonly onError: (error: AppError) => void;
};

/** The state of a request to a service. */
export type UpstreamRequestState = Omit<UpstreamRequestOptions, 'body'> & {
  /** Null when it is on its way. */
  body: OutgoingBody | null;
  isRetried?: boolean;
  proxyReq?: ClientRequest;
  proxyRes?: IncomingMessage;
};

/**
 * The property of a request that the hooks of the proxy find its upstream request in. It is no WeakMap,
 * because a weak entry keeps requests in memory until the next full garbage collection.
 */
export const upstreamState = Symbol('upstream state');
/** A request with its upstream state. */
export type ProxiedRequest = IncomingMessage & { [upstreamState]?: UpstreamRequestState };
