import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import { createFairQueue } from './fair-queue.ts';
import { pendingHeadersOf } from './pending-headers.ts';
import type { RequestContext } from './request-context.ts';

/** A public route that the gateway serves itself. All of them are GET, and HEAD with it. */
export type LocalRoute = {
  readonly path: string;
  /** What metrics and logs call it; by default the path. Names of files change with each release. */
  readonly label?: string;
  readonly handle: (context: RequestContext) => Promise<void> | void;
};

/** A response of the gateway's own. Without a body it has no `Content-Length`. */
export type LocalResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, OutgoingHttpHeader>>;
  readonly body?: string | Buffer;
};

/** The bytes written to a connection at once: the most that a client can leave in memory by not reading. */
const pieceBytes = 64 * 1024;

/**
 * A piece takes milliseconds when the client's window is a single byte. With a thousand such clients at once, new
 * connections waited for all of them.
 */
const iterationMaxMs = 1;
const runFairly = createFairQueue(iterationMaxMs);

/**
 * Sends a response of the gateway's own; every one of them is sent here. Node sends no body in response to
 * HEAD. A response that has begun cannot be replaced: its connection is closed.
 */
export const sendLocalResponse = (
  res: ServerResponse,
  { status, headers, body }: LocalResponse,
): void => {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  res.statusCode = status;
  const pending = pendingHeadersOf(res);
  for (let at = 0; at < pending.length; at += 2) {
    res.setHeader(pending[at] ?? '', pending[at + 1] ?? '');
  }
  for (const [name, value] of Object.entries(headers)) {
    res.setHeader(name, value);
  }
  if (body !== undefined) {
    res.setHeader('Content-Length', Buffer.byteLength(body));
  }
  if (Buffer.isBuffer(body)) {
    endInPieces(res, body);
  } else {
    res.end(body);
  }
};

/**
 * Ends a response with a buffer that other responses share: without a copy, as fast as the client reads it and
 * other work allows.
 */
const endInPieces = (res: ServerResponse, body: Buffer): void => {
  let at = 0;
  const write = (): void => {
    const piece = body.subarray(at, at + pieceBytes);
    at += pieceBytes;
    if (res.destroyed) {
      return;
    }
    if (at >= body.length) {
      res.end(piece);
    } else if (res.write(piece)) {
      runFairly(write);
    } else {
      res.once('drain', () => runFairly(write));
    }
  };
  runFairly(write);
};
