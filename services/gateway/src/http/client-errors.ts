import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, codeOf, newId, type ErrorCode } from '@commonplace/contracts';
import { newestResponseOf, problemResponse } from '@commonplace/http/core';
import { requestIdHeader } from '@commonplace/identity';
import { sendLocalResponse } from './local-response.ts';
import { pendingHeadersOf } from './pending-headers.ts';
import { sendRawResponse, closeSocket } from './raw-response.ts';

/**
 * Turns clientError events, which are parser errors and time-outs, into problem responses. A request gets
 * one response: an error behind a complete request is sent after the response to that request, and nothing
 * is written into a response or after the last one.
 */
export const handleClientErrors = (server: Server): void => {
  const rejected = new WeakSet<Duplex>();
  server.on('clientError', (error, socket) => {
    if (!socket.writable || codeOf(error) === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    // Bytes behind the last request of a connection are not read, so they are not an error.
    if (rejected.has(socket) || codeOf(error) === 'HPE_CLOSED_CONNECTION') {
      return;
    }
    rejected.add(socket);
    const problem = new AppError(errorCodeOf(error));
    const res = newestResponseOf(socket);
    if (!res) {
      sendRawResponse(socket, problem);
    } else if (res.req.complete) {
      rejectNextRequest(socket, problem, res);
    } else {
      rejectBody(socket, problem, res);
    }
  });
};

/** Rejects unreadable bytes that follow a complete request. */
const rejectNextRequest = (socket: Duplex, problem: AppError, res: ServerResponse): void => {
  if (res.writableFinished) {
    sendRawResponse(socket, problem);
  } else if (res.headersSent && !res.writableEnded) {
    // It may be an event stream, which never ends.
    res.destroy();
  } else {
    res.once('finish', () => sendRawResponse(socket, problem));
  }
};

/** Rejects a request with an unreadable body, unless its response is complete. Cuts a response that has begun. */
const rejectBody = (socket: Duplex, problem: AppError, res: ServerResponse): void => {
  if (res.writableFinished) {
    closeSocket(socket);
    return;
  }
  if (!res.headersSent) {
    res.setHeader('Connection', 'close');
  }
  sendLocalResponse(res, problemResponse(problem, requestIdOf(res)));
};

const requestIdOf = (res: ServerResponse): string => {
  const headers = pendingHeadersOf(res);
  const at = headers.indexOf(requestIdHeader);
  return (at < 0 ? undefined : headers[at + 1]) ?? newId();
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

/** The parser counts the target as a header. If it stopped in the first line, the target was too long. */
const isWithinTarget = ({ rawPacket, bytesParsed }: ParserError): boolean =>
  /^[A-Z-]+ [^\n]*$/.test(rawPacket?.subarray(0, bytesParsed).toString('latin1') ?? '');
