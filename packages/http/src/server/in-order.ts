import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { newestResponseOf, trackNewest } from './connection-tracker.ts';

/**
 * Requests that may wait on one connection behind the one being answered. Node parses all of a packet at
 * once, and a waiting request holds about a hundred times what it takes to send.
 */
export const pipelinedMax = 32;

const waiting = Symbol('waiting requests');
const current = Symbol('current response');

type Pending = { readonly req: IncomingMessage; readonly res: ServerResponse };
type Connection = Socket & { [waiting]?: Pending[]; [current]?: ServerResponse };

/**
 * Handles the requests of a connection strictly one after another. The next one starts when the response
 * before it is out, and only if that response left the connection open: whatever ends a connection (a
 * response that says `Connection: close`, a cut, a refusal by the parser) ends what follows on it, before
 * any of it is carried out (RFC 9112 section 9.6). Reading pauses while requests wait; a client that sends
 * more than `pipelinedMax` ahead has its connection closed. A connection without pipelining, the usual
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
  // The parser may have refused it while it waited.
  if (!res.writableEnded) {
    handle(req, res);
  }
};

/** The response that is being written to a connection, or was last; none before the first request. */
export const currentResponseOf = (socket: Duplex): ServerResponse | undefined =>
  (socket as Connection)[current];
