import type { ClientRequest, IncomingMessage } from 'node:http';
import { Stream } from 'node:stream';
import { announcedBytes } from './plan-body.ts';

/** A body that was read before its request is forwarded. */
export type BufferedBody = {
  readonly kind: 'buffered';
  readonly bytes: number;
  readonly blocks: readonly Buffer[];
  /** The request to read the rest from, when the body is longer than the route allows. */
  readonly rest: IncomingMessage | null;
  /** How long it took to arrive. */
  readonly waitedMs: number;
  /** To be called when the body is sent. */
  readonly release: () => void;
};

/** The body that a service gets. */
export type OutgoingBody =
  | { readonly kind: 'none' }
  /** Piped from the request. */
  | { readonly kind: 'streamed'; readonly req: IncomingMessage }
  | BufferedBody;

/** The length of a complete body, which the service then gets as `Content-Length`; null to keep the framing of the client. */
export const completeBytes = (body: OutgoingBody): number | null => {
  if (body.kind === 'buffered') {
    return body.rest === null ? body.bytes : null;
  }
  const isKnown =
    body.kind === 'streamed' && announcedBytes(body.req) === null && body.req.complete;
  return isKnown ? body.req.readableLength : null;
};

const outgoingBody = Symbol('outgoing body');
type Sender = ClientRequest & { [outgoingBody]?: OutgoingBody };

/** Attaches its body to an upstream request, before `outgoingBodies` is piped into it. */
export const attachBody = (proxyReq: ClientRequest, body: OutgoingBody): void => {
  // The proxy closes the connection after a chunked request. If a service responds before it has read the
  // body, that cuts the connection and loses up to one of 14 responses.
  proxyReq.setHeader('Connection', 'keep-alive');
  (proxyReq as Sender)[outgoingBody] = body;
};

/**
 * The stream that pipes into each upstream request the body that is attached to it, and nothing where none is: to
 * pipe a request without a body takes eight listeners and two iterations of the event loop.
 */
export const outgoingBodies: Stream = Object.assign(new Stream(), {
  pipe: <Target extends NodeJS.WritableStream>(target: Target): Target => {
    const sender = target as unknown as Sender;
    const body = sender[outgoingBody];
    if (body === undefined || body.kind === 'none') {
      target.end();
      return target;
    }
    // Otherwise the body would stay in memory until the response arrives.
    delete sender[outgoingBody];
    if (body.kind === 'streamed') {
      pipeRequest(body.req, sender);
    } else {
      sendBlocks(body, sender);
    }
    return target;
  },
});

const pipeRequest = (req: IncomingMessage, target: ClientRequest): void => {
  if (req.readableLength === 0 && !req.complete) {
    // Node holds the headers back until the body begins, and the signed identity expires after 10 s.
    target.flushHeaders();
  }
  req.pipe(target);
  // The rest of a body that the service has rejected is read and dropped, so that a client that is still sending
  // gets the response.
  target.once('close', () => {
    if (!req.readableEnded) {
      req.resume();
    }
  });
};

const sendBlocks = ({ blocks, rest, release }: BufferedBody, target: ClientRequest): void => {
  blocks.slice(0, -1).forEach((block) => target.write(block));
  const last = blocks.at(-1) ?? Buffer.alloc(0);
  if (rest) {
    target.write(last);
    pipeRequest(rest, target);
  } else {
    target.once('finish', release);
    target.end(last);
  }
};
