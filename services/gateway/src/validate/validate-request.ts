import type { IncomingMessage } from 'node:http';
import { AppError, type DeploymentMode } from '@commonplace/contracts';
import { assertLocalRequest } from './local-trusted.ts';

export type RequestValidatorOptions = {
  readonly mode: DeploymentMode;
  /** The port that clients connect to. */
  readonly publicPortOf: (req: IncomingMessage) => number;
};

/** Creates the function that rejects ambiguous, malformed and misdirected requests. It returns the path. */
export const createRequestValidator =
  ({ mode, publicPortOf }: RequestValidatorOptions) =>
  (req: IncomingMessage): string => {
    const path = validateRequestTarget(req.url ?? '');
    validateRequestHeaders(req);
    if (mode === 'local_trusted') {
      assertLocalRequest(req, publicPortOf(req));
    }
    return path;
  };

const targetBytesMax = 10_240;

/** Encoded slashes, backslashes and NUL, empty segments, path parameters, and broken escapes. */
const ambiguousInPath = /%(?:2f|5c|00)|\/\/|[\\;]|%(?![0-9a-f]{2})/i;
const dotSegment = /\/(?:\.|%2e){1,2}(?=\/|$)/i;
/** A target is visible ASCII. A fragment is never sent. */
const invalidInTarget = /[^\x21-\x7e]|#/;

const rejectTarget = (): never => {
  throw new AppError('ambiguous_target');
};

/**
 * Rejects a request target (400) that two parsers could understand differently, so that the gateway and the
 * service see the same path. Only the origin form is accepted. Returns the path.
 */
const validateRequestTarget = (target: string): string => {
  if (target.length > targetBytesMax) {
    throw new AppError('target_too_long');
  }
  const queryStart = target.indexOf('?');
  const path = queryStart < 0 ? target : target.slice(0, queryStart);
  const isAmbiguous =
    !path.startsWith('/') ||
    invalidInTarget.test(target) ||
    ambiguousInPath.test(path) ||
    dotSegment.test(path);
  return isAmbiguous || !isDecodable(path) ? rejectTarget() : path;
};

/** Whether the escapes are valid UTF-8 without NUL. */
const isDecodable = (path: string): boolean => {
  if (!path.includes('%')) {
    return true;
  }
  try {
    return !decodeURIComponent(path).includes('\u0000');
  } catch {
    return false;
  }
};

/** The headers a request may have. Node would silently drop those beyond its own limit. */
const headersMax = 100;

/** Rejects a request with too many headers (431), ambiguous ones (400) or an unknown expectation (417). */
const validateRequestHeaders = (req: IncomingMessage): void => {
  if (req.rawHeaders.length > headersMax * 2) {
    throw new AppError(
      'headers_too_large',
      `A request may have at most ${headersMax} header fields.`,
    );
  }
  if (countOf(req, 'host') !== 1 && (req.httpVersion !== '1.0' || countOf(req, 'host') > 1)) {
    throw new AppError('malformed_header', 'Send exactly one Host header.');
  }
  if (countOf(req, 'authorization') > 1) {
    throw new AppError('malformed_header', 'Send one Authorization header at most.');
  }
  if ((req.headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    throw new AppError('malformed_header', 'The only supported transfer coding is chunked.', {
      // Another parser could see the body end elsewhere, so nothing may follow it.
      headers: { Connection: 'close' },
    });
  }
  if ((req.headers.expect ?? '100-continue').toLowerCase() !== '100-continue') {
    throw new AppError('expectation_failed');
  }
};

/** Counts a header in the raw list, because `req.headers` keeps only the first of these. */
const countOf = (req: IncomingMessage, name: string): number => {
  let count = 0;
  for (let index = 0; index < req.rawHeaders.length; index += 2) {
    const raw = req.rawHeaders[index] as string;
    if (raw.length === name.length && raw.toLowerCase() === name) {
      count += 1;
    }
  }
  return count;
};
