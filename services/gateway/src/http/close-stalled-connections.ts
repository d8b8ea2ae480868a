import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export type StallLimits = {
  /** How long written bytes may wait for the client to read them. */
  readonly unreadMaxMs: number;
  /** Called for every connection that is closed. */
  readonly onCut: () => void;
};

/** What a client must read in that time, if as much is sent: half a kilobyte a second. */
const readBytesMin = 16 * 1024;

const stallState = Symbol('stall state');
type StallState = { readonly sinceMs: number; readonly readBytes: number };
type Connection = Socket & { [stallState]?: StallState | undefined };

/**
 * Closes connections whose client does not read: pages, files, proxied responses, problems and event streams
 * alike. A timer checks the connections, so that a request costs nothing. No response writes more than 64 KiB
 * at once, so that a slow client shows progress.
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
  const check = (): void => {
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
  const timer = setInterval(check, Math.min(1_000, unreadMaxMs / 4)).unref();
  server.once('close', () => clearInterval(timer));
};

/** Whether the client has read less than the minimum since `fromMs`. Enough progress restarts the period. */
const isStalled = (socket: Connection, fromMs: number): boolean => {
  const readBytes = socket.bytesWritten - socket.writableLength;
  const before = socket[stallState];
  if (before && readBytes - before.readBytes < readBytesMin) {
    return before.sinceMs <= fromMs;
  }
  socket[stallState] = { sinceMs: performance.now(), readBytes };
  return false;
};
