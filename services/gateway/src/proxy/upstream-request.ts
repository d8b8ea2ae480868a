import type { ClientRequest, IncomingMessage } from 'node:http';
import type { AppError, RouteContract } from '@commonplace/contracts';
import type { BufferedBody } from './body/buffered-body.ts';

/** A request on its way to a service. */
export type UpstreamRequest = {
  /** Settles the answer with an error, or ends it where it stands once its headers are out. */
  readonly abort: (error: AppError) => void;
};

/** What is to become of a upstream. */
export type UpstreamRequestOptions = {
  readonly contract: RouteContract;
  /** The body, where it was waited for; null: it is still with the request, or there is none. */
  readonly body: BufferedBody | null;
  /** Told of the status before the client gets the answer. */
  readonly onResponse: (status: number) => void;
  /** Answers the client with an error; also when the answer has begun, and then cuts it. */
  readonly onError: (error: AppError) => void;
};

/** A upstream as far as it has come. */
export type UpstreamRequestState = Omit<UpstreamRequestOptions, 'body'> & {
  body: BufferedBody | null;
  isRepeated?: boolean;
  proxyReq?: ClientRequest;
  proxyRes?: IncomingMessage;
};

/**
 * Ties a request to what is known of its upstream, for the hooks of the proxy. It is a property and not
 * a WeakMap: a weak entry keeps whole requests alive until the next full collection.
 */
export const upstreamState = Symbol('upstream');
/** A request that knows its upstream. */
export type ProxiedRequest = IncomingMessage & { [upstreamState]?: UpstreamRequestState };
