import type { ClientRequest, IncomingMessage } from 'node:http';
import { Stream } from 'node:stream';

/** A body that was waited for. */
export type BufferedBody = {
  readonly bytes: number;
  readonly blocks: readonly Buffer[];
  /** Where it goes on, when it is longer than its route takes. */
  readonly rest: IncomingMessage | null;
  /** To be called when it is sent. */
  readonly release: () => void;
};

const bufferedBody = Symbol('held body');
type Sender = ClientRequest & { [bufferedBody]?: BufferedBody };

/** Tells a request to a service what body it has; before `bufferedBodies` is piped into it. */
export const attachBody = (proxyReq: ClientRequest, body: BufferedBody | null): void => {
  if (body) {
    (proxyReq as Sender)[bufferedBody] = body;
  }
};

/** Pipes into each request the body that it was given. */
export const bufferedBodies: Stream = Object.assign(new Stream(), {
  pipe: <Target extends NodeJS.WritableStream>(target: Target): Target => {
    const sender = target as unknown as Sender;
    const body = sender[bufferedBody];
    const blocks = body?.blocks ?? [];
    // What is sent is not kept until the response is there.
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
