import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export type StallLimits = {
  /** How long what was written may wait for the client to take it. */
  readonly unreadMaxMs: number;
  /** Told of every connection that is cut. */
  readonly onCut: () => void;
};

/** What a client must take in that time, if there is so much for it: half a kilobyte a second. */
const takenBytesMin = 16 * 1024;

const stallState = Symbol('unread');
type StallState = { readonly sinceMs: number; readonly takenBytes: number };
type Connection = Socket & { [stallState]?: StallState | undefined };

/**
 * Cuts connections whose client does not read, whatever is written to it: pages, files, responses of
 * services, problems, event streams. Connections are looked at every so often and not the responses, so
 * that a request costs nothing. What is written at once is small everywhere (64 KiB), so that a slow client
 * that reads shows as one.
 */
export const closeStalledConnections = (
  server: Server,
  { unreadMaxMs, onCut }: StallLimits,
): void => {
  const connections = new Set<Connection>();
  server.on('connection', (socket: Connection) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const look = (): void => {
    const nowMs = performance.now();
    for (const socket of connections) {
      if (socket.writableLength === 0) {
        socket[stallState] = undefined;
      } else if (isStalled(socket, nowMs - unreadMaxMs)) {
        onCut();
        socket.destroy();
      }
    }
  };
  const timer = setInterval(look, Math.min(1_000, unreadMaxMs / 4)).unref();
  server.once('close', () => clearInterval(timer));
};

/** Whether next to nothing was taken since this moment; when enough was, the time begins anew. */
const isStalled = (socket: Connection, fromMs: number): boolean => {
  const takenBytes = socket.bytesWritten - socket.writableLength;
  const before = socket[stallState];
  if (before && takenBytes - before.takenBytes < takenBytesMin) {
    return before.sinceMs <= fromMs;
  }
  socket[stallState] = { sinceMs: performance.now(), takenBytes };
  return false;
};
