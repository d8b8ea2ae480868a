import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { newestResponseOf, trackNewest } from './connection-tracker.ts';

/**
 * Requests that may wait on one connection behind the current one. Node parses a whole packet at once, and a
 * waiting request takes about a hundred times its size on the wire.
 */
export const pipelinedMax = 32;

const waiting = Symbol('waiting requests');
const current = Symbol('current response');

type Pending = { readonly req: IncomingMessage; readonly res: ServerResponse };
type Connection = Socket & { [waiting]?: Pending[]; [current]?: ServerResponse };

/**
 * Handles the requests of a connection strictly one after another. The next one starts when the response before it is
 * sent, and only if the connection is still open: a response with `Connection: close`, an abort or an error of the
 * parser also discards the requests behind it (RFC 9112 section 9.6). Reading pauses while requests wait; a client
 * that sends more than `pipelinedMax` ahead has its connection closed. A connection without pipelining, the usual
 * case, costs two properties and no listener.
 */
export const inOrder =
  (handle: RequestListener): RequestListener =>
  (req, res) => {
    const socket: Connection = req.socket;
    if (!socket.writable) {
      return;
    }
    const before = newestResponseOf(socket);
    trackNewest(res);
    if (before === undefined || before.closed) {
      socket[current] = res;
      handle(req, res);
      return;
    }
    const queue = (socket[waiting] ??= []);
    if (queue.length >= pipelinedMax) {
      queue.length = 0;
      socket.destroy();
      return;
    }
    if (queue.push({ req, res }) === 1) {
      before.once('close', () => handleNext(socket, queue, handle));
      // Not at once: Node reads on at the end of every request it parses.
      setImmediate(() => void (queue.length > 0 && socket.pause()));
    }
  };

const handleNext = (socket: Connection, queue: Pending[], handle: RequestListener): void => {
  if (!socket.writable) {
    queue.length = 0;
  }
  const next = queue.shift();
  if (!next) {
    return;
  }
  const { req, res } = next;
  socket[current] = res;
  if (queue.length > 0) {
    res.once('close', () => handleNext(socket, queue, handle));
  } else {
    socket.resume();
  }
  // The parser may have rejected it while it waited.
  if (!res.writableEnded) {
    handle(req, res);
  }
};

/** The current or last response of a connection; undefined before the first request. */
export const currentResponseOf = (socket: Duplex): ServerResponse | undefined =>
  (socket as Connection)[current];
