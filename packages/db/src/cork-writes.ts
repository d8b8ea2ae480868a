import type { Duplex } from 'node:stream';

/** Streams that are corked in this iteration of the event loop. */
const corked = new WeakSet<Duplex>();

/**
 * Sends all messages of one iteration of the event loop in one write. The driver would write each message
 * separately, and each write wakes PostgreSQL.
 */
export const corkWrites = (stream: Duplex): void => {
  if (corked.has(stream)) {
    return;
  }
  corked.add(stream);
  stream.cork();
  setImmediate(() => {
    corked.delete(stream);
    stream.uncork();
  });
};

/** The stream of a client of the driver, whose types omit it. */
export const streamOf = (client: object): Duplex =>
  (client as { readonly connection: { readonly stream: Duplex } }).connection.stream;
