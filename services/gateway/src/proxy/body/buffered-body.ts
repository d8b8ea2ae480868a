import type { ClientRequest, IncomingMessage } from 'node:http';
import { Stream } from 'node:stream';

/** A body that was read before its request is forwarded. */
export type BufferedBody = {
  readonly bytes: number;
  readonly blocks: readonly Buffer[];
  /** The request to read the rest from, when the body is longer than the route allows. */
  readonly rest: IncomingMessage | null;
  /** To be called when the body is sent. */
  readonly release: () => void;
};

const bufferedBody = Symbol('buffered body');
type Sender = ClientRequest & { [bufferedBody]?: BufferedBody };

/** Attaches the body to an upstream request, before `bufferedBodies` is piped into it. */
export const attachBody = (proxyReq: ClientRequest, body: BufferedBody | null): void => {
  if (body) {
    (proxyReq as Sender)[bufferedBody] = body;
  }
};

/** The stream that pipes into each upstream request the body that is attached to it. */
export const bufferedBodies: Stream = Object.assign(new Stream(), {
  pipe: <Target extends NodeJS.WritableStream>(target: Target): Target => {
    const sender = target as unknown as Sender;
    const body = sender[bufferedBody];
    const blocks = body?.blocks ?? [];
    // Otherwise the body would stay in memory until the response arrives.
    delete sender[bufferedBody];
    blocks.slice(0, -1).forEach((block) => target.write(block));
    const last = blocks.at(-1) ?? Buffer.alloc(0);
    if (body?.rest) {
      target.write(last);
      body.rest.pipe(target);
      return target;
    }
    target.once('finish', () => body?.release());
    target.end(last);
    return target;
  },
});

/**
 * The stream for requests without a body. To pipe the request itself takes eight listeners and two iterations of
 * the event loop.
 */
export const emptyBody: Stream = Object.assign(new Stream(), {
  pipe: <Target extends NodeJS.WritableStream>(target: Target): Target => {
    target.end();
    return target;
  },
});
