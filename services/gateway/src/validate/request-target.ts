import { AppError } from '@commonplace/contracts';

const targetBytesMax = 8_192;

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
export const validateRequestTarget = (target: string): string => {
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
