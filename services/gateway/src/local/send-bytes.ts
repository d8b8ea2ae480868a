import type { ServerResponse } from 'node:http';
import { createFairQueue } from './fair-queue.ts';

/** What is handed to a connection at once: what a client does not read waits here, not in its queue. */
const pieceBytes = 64 * 1024;

/**
 * A piece costs milliseconds where the client's window is a single byte, and a thousand such clients came at once: new
 * connections waited for all of them.
 */
const turnMaxMs = 5;
const runFairly = createFairQueue(turnMaxMs);

/**
 * Ends a response with bytes that many responses share. They are written piece by piece, as the client
 * takes them and as others leave time for it, and never copied.
 */
export const sendBytes = (res: ServerResponse, body: Buffer): void => {
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
