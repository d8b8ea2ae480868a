import type { Duplex } from 'node:stream';
import { newId, type AppError } from '@commonplace/contracts';
import { problemResponse } from '@commonplace/http/core';
import { securityHeaders } from './pending-headers.ts';

/** Sends a problem on a connection that has no response object, and closes the connection. */
export const sendRawResponse = (socket: Duplex, problem: AppError): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = problemResponse(problem, newId());
  const lines = [
    `HTTP/1.1 ${status} ${reasonPhrases[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...securityHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [`${name}: ${securityHeaders[at + 1]}`] : [],
    ),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  closeSocket(socket, `${lines.join('\r\n')}\r\n\r\n${body}`);
};

/** How long a client may take to read the last bytes; closed at once, it might never see them. */
const lingerMs = 1_000;

/** Writes the last bytes and ends a connection. A client that does not close its side has it closed. */
export const closeSocket = (socket: Duplex, finalBytes = ''): void => {
  socket.end(finalBytes);
  setTimeout(() => socket.destroy(), lingerMs).unref();
};

const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
};
