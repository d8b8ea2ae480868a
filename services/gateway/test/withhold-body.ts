import { once } from 'node:events';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { ReceivedResponse } from './send-request.ts';

export type WithheldRequest = {
  /** Sends the rest and returns the response. */
  readonly finish: (rest?: string) => Promise<ReceivedResponse>;
  /** The response to what was sent so far. */
  readonly response: Promise<ReceivedResponse>;
  readonly send: (more: string | Buffer) => void;
  readonly destroy: () => void;
};

/** Sends the headers of a request and the beginning of its body. */
export const withhold = (
  port: number,
  path: string,
  options: {
    readonly method?: string;
    readonly headers: OutgoingHttpHeaders;
    readonly sent: string | Buffer;
  },
): WithheldRequest => {
  const { method = 'PUT', headers, sent } = options;
  const req = request({ port, path, method, headers, host: '127.0.0.1', agent: false });
  const received = once(req, 'response').then(async ([res]) => {
    const response = res as IncomingMessage;
    const chunks: Buffer[] = [];
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
    }
    const text = Buffer.concat(chunks).toString();
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  });
  // The test that awaits the response sees its failure.
  received.catch(() => undefined);
  req.on('error', () => undefined);
  req.flushHeaders();
  req.write(sent);
  return {
    response: received,
    finish: (rest = '') => {
      req.end(rest);
      return received;
    },
    send: (more) => void req.write(more),
    destroy: () => void req.destroy(),
  };
};
