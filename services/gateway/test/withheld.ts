import { once } from 'node:events';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { Answered } from './send-request.ts';

export type Withheld = {
  /** Sends the rest, where there is one, and gives the response. */
  readonly finish: (rest?: string) => Promise<Answered>;
  /** The response to what was sent so far. */
  readonly answered: Promise<Answered>;
  readonly send: (more: string | Buffer) => void;
  readonly destroy: () => void;
};

/** Begins a request whose body is not sent to its end: the head and `sent` are on their way. */
export const withhold = (
  port: number,
  path: string,
  asked: {
    readonly method?: string;
    readonly headers: OutgoingHttpHeaders;
    readonly sent: string | Buffer;
  },
): Withheld => {
  const { method = 'PUT', headers, sent } = asked;
  const req = request({ port, path, method, headers, host: '127.0.0.1', agent: false });
  const answered = once(req, 'response').then(async ([res]) => {
    const response = res as IncomingMessage;
    const chunks: Buffer[] = [];
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
    }
    const text = Buffer.concat(chunks).toString();
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  });
  // Whoever waits for the response is told.
  answered.catch(() => undefined);
  req.on('error', () => undefined);
  req.flushHeaders();
  req.write(sent);
  return {
    answered,
    finish: (rest = '') => {
      req.end(rest);
      return answered;
    },
    send: (more) => void req.write(more),
    destroy: () => void req.destroy(),
  };
};
