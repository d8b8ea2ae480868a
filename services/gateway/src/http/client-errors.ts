import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, newId, type ErrorCode } from '@commonplace/contracts';
import { codeOf, newestAnswerOf, sendProblem } from '@commonplace/http/core';
import { requestIdHeader } from '@commonplace/identity';
import { sendRawResponse, closeSocket } from './raw-response.ts';
import { applyPendingHeaders } from './pending-headers.ts';

/**
 * Words the server's own complaints: what its parser gave up on, and what took too long to arrive.
 * One request gets one answer: a complaint about what follows a request waits for the answer to that
 * one, and nothing is ever written amid an answer or after it.
 */
export const handleClientErrors = (server: Server): void => {
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error, socket) => {
    if (!socket.writable || codeOf(error) === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    // What follows the last request of a connection is no complaint of anybody's: it is not read.
    if (refused.has(socket) || codeOf(error) === 'HPE_CLOSED_CONNECTION') {
      return;
    }
    refused.add(socket);
    const problem = new AppError(errorCodeOf(error));
    const res = newestAnswerOf(socket);
    if (!res) {
      sendRawResponse(socket, problem);
    } else if (res.req.complete) {
      rejectNextRequest(socket, problem, res);
    } else {
      rejectBody(socket, problem, res);
    }
  });
};

/** What came after a whole request is unreadable. */
const rejectNextRequest = (socket: Duplex, problem: AppError, res: ServerResponse): void => {
  if (res.writableFinished) {
    sendRawResponse(socket, problem);
  } else if (res.headersSent && !res.writableEnded) {
    // It may be a stream, which has no end to wait for.
    res.destroy();
  } else {
    res.once('finish', () => sendRawResponse(socket, problem));
  }
};

/** The body of a request is unreadable: that is the answer to it, unless it has one. */
const rejectBody = (socket: Duplex, problem: AppError, res: ServerResponse): void => {
  if (res.writableFinished) {
    closeSocket(socket);
    return;
  }
  applyPendingHeaders(res);
  if (!res.headersSent) {
    res.setHeader('Connection', 'close');
  }
  // Cuts an answer that has begun.
  sendProblem(res, problem, String(res.getHeader(requestIdHeader) ?? newId()));
};

type ParserError = Error & { readonly rawPacket?: Buffer; readonly bytesParsed?: number };

const errorCodeOf = (error: ParserError): ErrorCode => {
  switch (codeOf(error)) {
    case 'HPE_HEADER_OVERFLOW':
      return isWithinTarget(error) ? 'target_too_long' : 'headers_too_large';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request_timeout';
    default:
      return 'malformed_request';
  }
};

/** The parser counts the target as a header; where it stopped in the first line, it was the target. */
const isWithinTarget = ({ rawPacket, bytesParsed }: ParserError): boolean =>
  /^[A-Z-]+ [^\n]*$/.test(rawPacket?.subarray(0, bytesParsed).toString('latin1') ?? '');
