import type { Duplex } from 'node:stream';
import { newId, type AppError } from '@commonplace/contracts';
import { problemBody } from '@commonplace/http/core';

/** Answers with a problem where there is no response to write it with, and closes the connection. */
export const sendRawResponse = (socket: Duplex, problem: AppError): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newId();
  const body = JSON.stringify(problemBody(problem, requestId));
  closeSocket(
    socket,
    [
      `HTTP/1.1 ${problem.status} ${reasonPhrases[problem.status]}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Referrer-Policy: no-referrer',
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
};

/** How long a client may take to read what was said last; closed at once, it might never see it. */
const lingerMs = 1_000;

/** Ends a connection in good order, and for good: a client that does not close its side has it closed. */
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
