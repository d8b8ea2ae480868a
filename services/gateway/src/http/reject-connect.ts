import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '@commonplace/contracts';
import { currentResponseOf, newestResponseOf } from '@commonplace/http/core';
import { sendRawResponse } from './raw-response.ts';

/**
 * Rejects `CONNECT` with 400 after the responses to earlier requests, and closes the connection. At a
 * `CONNECT`, Node removes its listeners from the socket. Two are put back: `drain`, which the earlier
 * responses need, and `error`, without which a socket error would end the process.
 */
export const rejectConnect = (server: Server): void => {
  server.on('connect', (_req, socket) => {
    socket.on('error', () => undefined);
    const newest = newestResponseOf(socket);
    if (newest === undefined || newest.closed) {
      rejectTunnel(socket);
      return;
    }
    socket.on('drain', () => currentResponseOf(socket)?.emit('drain'));
    newest.once('close', () => rejectTunnel(socket));
  });
};

/** An earlier response may have closed the connection. */
const rejectTunnel = (socket: Duplex): void => {
  if (socket.writable) {
    sendRawResponse(socket, new AppError('ambiguous_target'));
  }
};
