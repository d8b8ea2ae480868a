import type { ClientRequest, IncomingMessage } from 'node:http';
import { Stream } from 'node:stream';

/** A body that was waited for. */
export type HeldBody = {
  readonly bytes: number;
  readonly blocks: readonly Buffer[];
  /** Where it goes on, when it is longer than its route takes. */
  readonly rest: IncomingMessage | null;
  /** To be called when it is sent. */
  readonly release: () => void;
};

const heldBody = Symbol('held body');
type Sender = ClientRequest & { [heldBody]?: HeldBody };

/** Tells a request to a service what body it has; before `heldBodies` is piped into it. */
export const giveBody = (proxyReq: ClientRequest, body: HeldBody | null): void => {
  if (body) {
    (proxyReq as Sender)[heldBody] = body;
  }
};

/** Pipes into each request the body that it was given. */
export const heldBodies: Stream = Object.assign(new Stream(), {
  pipe: <Target extends NodeJS.WritableStream>(target: Target): Target => {
    const sender = target as unknown as Sender;
    const body = sender[heldBody];
    const blocks = body?.blocks ?? [];
    // What is sent is not kept until the response is there.
    delete sender[heldBody];
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
