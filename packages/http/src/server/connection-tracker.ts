import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const newestResponse = Symbol('newest response');

/** A connection of a client, with the response to its newest request. */
type Connection = Socket & { [newestResponse]?: ServerResponse };

/**
 * Tracks the open connections of a server, not the responses: a `Set` that every request enters and leaves copies
 * its table often, and an old table retains the entries of its successors. Responses were then retained until a
 * full collection, collection took ten times as long, and memory grew by a third.
 */
export const connectionsOf = (server: Server): ReadonlySet<Connection> => {
  const connections = new Set<Connection>();
  server.on('connection', (socket: Connection) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
};

/** Records a response as the newest of its connection. Call it for every response before it begins. */
export const trackNewest = (res: ServerResponse): void => {
  (res.req.socket as Connection)[newestResponse] = res;
};

/** The response to the newest request of a connection; undefined before the first. */
export const newestResponseOf = (socket: Duplex): ServerResponse | undefined =>
  (socket as Connection)[newestResponse];

/** Sets `Connection: close` on the newest responses that have not begun. */
export const closeAfterResponse = (connections: ReadonlySet<Connection>): void => {
  for (const { [newestResponse]: res } of connections) {
    if (res && !res.headersSent) {
      res.setHeader('Connection', 'close');
    }
  }
};
