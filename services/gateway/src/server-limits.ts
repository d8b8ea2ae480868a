import type { Server, ServerOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, newId, type ErrorCode } from '@commonplace/contracts';
import { codeOf, problemBody } from '@commonplace/http/core';

const connectionsMax = 2_000;

/** A missing `Host` is for the pipeline to refuse, in our words. */
export const serverOptions: ServerOptions = { maxHeaderSize: 16 * 1024, requireHostHeader: false };

/**
 * Sets what the bare server decides before there is a request: how many connections, what becomes of
 * upgrades (nothing), and how its own complaints are worded. Header lines are counted by the pipeline,
 * because the server's own limit drops the rest in silence.
 */
export const limitServer = (server: Server): void => {
  server.maxConnections = connectionsMax;
  server.maxHeadersCount = 0;
  server.on('upgrade', (_req, socket) => socket.destroy());
  // The body is called for when the request goes on to a service, not before anybody has judged it.
  server.on('checkContinue', (req, res) => server.emit('request', req, res));
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('clientError', answerParseError);
};

/** Requests the parser gave up on, or whose time was up. */
const answerParseError = (error: Error, socket: Duplex): void => {
  if (!socket.writable || codeOf(error) === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const requestId = newId();
  const problem = new AppError(errorCodeOf(error));
  const body = JSON.stringify(problemBody(problem, requestId));
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${reasons[problem.status]}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
};

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

const errorCodeOf = (error: Error): ErrorCode => {
  switch (codeOf(error)) {
    case 'HPE_HEADER_OVERFLOW':
      return 'headers_too_large';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request_timeout';
    default:
      return 'malformed_request';
  }
};
