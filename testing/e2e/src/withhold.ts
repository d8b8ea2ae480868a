import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

/** A request in flight, without the end of its body. */
export type WithheldRequest = {
  /** Sends the withheld part; returns the response. */
  readonly finish: () => Promise<{ readonly status: number; readonly body: string }>;
};

/** Sends a request without the last byte of its JSON body. */
export const withhold = (
  baseUrl: string,
  sent: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    /** An object, or its JSON. */
    readonly body: unknown;
    /** With a Content-Length, or chunked. */
    readonly isChunked?: boolean;
  },
): WithheldRequest => {
  const { method, path, headers, body, isChunked = false } = sent;
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const framing = isChunked
    ? { 'transfer-encoding': 'chunked' }
    : { 'content-length': bytes.length };
  const req = request(new URL(path, baseUrl), {
    method,
    agent: false,
    headers: { ...headers, 'content-type': 'application/json', ...framing },
  });
  const completed = once(req, 'response').then(async ([res]) => {
    const response = res as IncomingMessage;
    const chunks: Buffer[] = [];
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
    }
    return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() };
  });
  completed.catch(() => undefined);
  req.on('error', () => undefined);
  req.write(bytes.subarray(0, -1));
  return {
    finish: () => {
      req.end(bytes.subarray(-1));
      return completed;
    },
  };
};
