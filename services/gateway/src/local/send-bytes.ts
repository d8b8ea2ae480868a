import type { ServerResponse } from 'node:http';

/** What is handed to a connection at once: what a client does not read waits here, not in its queue. */
const pieceBytes = 64 * 1024;

/**
 * Ends a response with bytes that many responses share. They are written piece by piece, as the client
 * takes them, and never copied.
 */
export const sendBytes = (res: ServerResponse, body: Buffer): void => {
  let at = 0;
  const write = (): void => {
    while (body.length - at > pieceBytes) {
      const piece = body.subarray(at, at + pieceBytes);
      at += pieceBytes;
      if (!res.write(piece)) {
        res.once('drain', write);
        return;
      }
    }
    res.end(body.subarray(at));
  };
  write();
};
