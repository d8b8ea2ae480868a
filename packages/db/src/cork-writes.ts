import type { Duplex } from 'node:stream';

/** Streams that hold back what is written in this turn of the event loop. */
const holding = new WeakSet<Duplex>();

/**
 * Lets everything that is sent in one turn of the event loop leave in one write. The driver would write
 * every message for itself, and each write wakes PostgreSQL.
 */
export const corkWrites = (stream: Duplex): void => {
  if (holding.has(stream)) {
    return;
  }
  holding.add(stream);
  stream.cork();
  setImmediate(() => {
    holding.delete(stream);
    stream.uncork();
  });
};

/** The stream of a client of the driver, whose types leave it out. */
export const streamOf = (client: object): Duplex =>
  (client as { readonly connection: { readonly stream: Duplex } }).connection.stream;
