import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '@commonplace/contracts';
import { currentAnswerOf, newestAnswerOf } from '@commonplace/http/core';
import { sendRawResponse } from './raw-response.ts';

/**
 * Answers `CONNECT` with 400, after the responses to the requests before it, and closes the connection.
 * Node takes its listeners off the socket at a `CONNECT`: what the earlier responses still need of them,
 * and the one without which an error of the socket would end the process, is put back.
 */
export const rejectConnect = (server: Server): void => {
  server.on('connect', (_req, socket) => {
    socket.on('error', () => undefined);
    const newest = newestAnswerOf(socket);
    if (newest === undefined || newest.closed) {
      rejectTunnel(socket);
      return;
    }
    socket.on('drain', () => currentAnswerOf(socket)?.emit('drain'));
    newest.once('close', () => rejectTunnel(socket));
  });
};

/** A response before it may have ended the connection. */
const rejectTunnel = (socket: Duplex): void => {
  if (socket.writable) {
    sendRawResponse(socket, new AppError('ambiguous_target'));
  }
};
