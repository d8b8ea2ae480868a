import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const newestResponse = Symbol('newest answer');

/** A connection of a client, with the answer to its newest request. */
type Connection = Socket & { [newestResponse]?: ServerResponse };

/**
 * Keeps the open connections of a server. It is they that are counted and not the answers: a `Set` to which
 * every request adds something and takes it away again copies itself all the time, and each copy that has
 * grown old keeps what the next one held. Answers so lived until a full collection; collecting them took ten
 * times as long, and memory grew by a third.
 */
export const connectionsOf = (server: Server): ReadonlySet<Connection> => {
  const connections = new Set<Connection>();
  server.on('connection', (socket: Connection) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
};

/** To be told of every answer before it begins. */
export const trackNewest = (res: ServerResponse): void => {
  (res.req.socket as Connection)[newestResponse] = res;
};

/** The answer to the newest request of a connection; none before the first. */
export const newestResponseOf = (socket: Duplex): ServerResponse | undefined =>
  (socket as Connection)[newestResponse];

/** Newest answers that have not begun yet say that they are the last on their connection. */
export const closeAfterResponse = (connections: ReadonlySet<Connection>): void => {
  for (const { [newestResponse]: res } of connections) {
    if (res && !res.headersSent) {
      res.setHeader('Connection', 'close');
    }
  }
};
