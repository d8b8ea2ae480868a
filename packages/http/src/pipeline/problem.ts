import type { ServerResponse } from 'node:http';
import { AppError, codeOf, errorCodes, isAppError } from '@commonplace/contracts/core';

/**
 * PostgreSQL is away or shutting down, lets us not in (class 28: a password that was changed under us), has no disk,
 * memory or connections left (class 53), cannot read or write (58030), gave up on a statement that took too long
 * (57014), or a service refused: nothing the caller did, and worth a retry.
 */
const isAway = (code: string): boolean =>
  /^(?:08...|28[0-9A-Z]{3}|53...|57014|57P0[1-5]|58030|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/.test(
    code,
  );

/** What a driver says without a code: the connection ended, or none was to be had in time. */
const awayMessages = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
]);

/**
 * Turns anything thrown into an AppError. SQLSTATE class 22 means that input got through our schemas
 * which PostgreSQL cannot hold: the caller's fault, not ours. The rest is a bug: 500.
 */
export const asAppError = (error: unknown): AppError => {
  if (isAppError(error)) {
    return error;
  }
  const code = codeOf(error) ?? '';
  if (isAway(code) || (error instanceof Error && awayMessages.has(error.message))) {
    return new AppError('service_unavailable', undefined, {
      cause: error,
      headers: { 'Retry-After': '1' },
    });
  }
  if (/^22...$/.test(code)) {
    return new AppError('validation_failed', 'A value cannot be stored.', { cause: error });
  }
  if (code === '23505' || code === '40001' || code === '40P01') {
    return new AppError('busy', 'Another request changed the same thing; try again.', {
      cause: error,
      headers: { 'Retry-After': '1' },
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

/** The challenge that RFC 6750 section 3 asks for with every 401. */
const challengeOf = (error: AppError): string =>
  error.code === 'invalid_token' ? 'Bearer error="invalid_token"' : 'Bearer';

export type ProblemResponse = {
  readonly status: number;
  /** Without `Content-Length`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The response for an error. Every 401 has a challenge, every 503 a `Retry-After` (docs/contract.md section 3). */
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

/** Answers with a problem; once headers are out nothing honest can be said, and the connection is cut. */
export const sendProblem = (res: ServerResponse, error: AppError, requestId: string): void => {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const { status, headers, body } = problemResponse(error, requestId);
  res.statusCode = status;
  for (const [name, value] of Object.entries(headers)) {
    res.setHeader(name, value);
  }
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
};
