import type { ServerResponse } from 'node:http';
import {
  AppError,
  codeOf,
  errorCodes,
  isAppError,
  unreachableCodes,
} from '@commonplace/contracts/core';

/**
 * Errors that the caller did not cause and may retry: PostgreSQL is unavailable or shutting down, rejects our
 * credentials (class 28, after a password change), lacks disk, memory or connections (class 53), cannot read or
 * write (58030) or cancelled a slow statement (57014), or a service is unreachable.
 */
const isUnavailable = (code: string): boolean =>
  unreachableCodes.has(code) ||
  /^(?:08...|28[0-9A-Z]{3}|53...|57014|57P0[1-5]|58030|ETIMEDOUT)$/.test(code);

/** SQLSTATE disk_full. */
const diskFull = '53100';
const diskFullDetail =
  'The disk of the database is full, and nothing was changed. An operator of the server has to free some space on it; then retry.';

/** SQLSTATE query_canceled: a statement was slower than `statement_timeout`. */
const queryCanceled = '57014';
/** The driver gave up a slow statement. */
const readTimeout = 'Query read timeout';

/** True if a statement was given up because it took too long: it may be the statement that is slow, not the database. */
export const isSlowStatement = (error: unknown): boolean =>
  codeOf(error) === queryCanceled ||
  (error instanceof Error &&
    (error.message === readTimeout || (isAppError(error) && isSlowStatement(error.cause))));

/** Errors of the driver without a code: the connection ended, or none was available in time. */
const unavailableMessages = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  readTimeout,
  'Client has encountered a connection error and is not queryable',
]);

/**
 * Converts anything thrown into an AppError. SQLSTATE class 22 means that the input passed our schemas but cannot
 * be stored, class 54 that it is longer than an index or a row may hold: 400. Every other error is a bug: 500.
 */
export const asAppError = (error: unknown): AppError => {
  if (isAppError(error)) {
    return error;
  }
  const code = codeOf(error) ?? '';
  if (isUnavailable(code) || (error instanceof Error && unavailableMessages.has(error.message))) {
    return new AppError('service_unavailable', code === diskFull ? diskFullDetail : undefined, {
      cause: error,
    });
  }
  if (/^(?:22|54)...$/.test(code)) {
    return new AppError('validation_failed', 'A value cannot be stored.', { cause: error });
  }
  if (code === '23505' || code === '40001' || code === '40P01') {
    return new AppError('busy', 'Another request changed the same thing; try again.', {
      cause: error,
    });
  }
  return new AppError('unexpected_failure', undefined, { cause: error });
};

/** The RFC 9457 body of an error. */
export const problemBody = (error: AppError, requestId: string) => ({
  ...error.extensions,
  type: 'about:blank',
  title: errorCodes[error.code].title,
  status: error.status,
  detail: error.message,
  code: error.code,
  requestId,
  ...(error.errors ? { errors: error.errors } : {}),
});

/** The challenge that RFC 6750 section 3 requires with every 401. */
const challengeOf = (error: AppError): string =>
  error.code === 'invalid_token' ? 'Bearer error="invalid_token"' : 'Bearer';

export type ProblemResponse = {
  readonly status: number;
  /** Without `Content-Length`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/**
 * The response for an error. Every 401 has a challenge, and every 503 a `Retry-After` (docs/contract.md section 3): 1 s,
 * unless the error has another.
 */
export const problemResponse = (error: AppError, requestId: string): ProblemResponse => ({
  status: error.status,
  headers: {
    ...(error.status === 401 ? { 'WWW-Authenticate': challengeOf(error) } : {}),
    ...(error.status === 503 ? { 'Retry-After': '1' } : {}),
    ...error.headers,
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  },
  body: JSON.stringify(problemBody(error, requestId)),
});

/** Sends the response for an error. Once headers are sent, it destroys the connection instead. */
export const sendError = (
  res: ServerResponse,
  { status, headers, body }: ProblemResponse,
): void => {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  res.statusCode = status;
  for (const [name, value] of Object.entries(headers)) {
    res.setHeader(name, value);
  }
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
};
