import { AppError } from '@commonplace/contracts';
import { codeOf } from '@commonplace/http/core';

/** The service was not reached, or went away before it said anything. */
const unreachableCodes = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
]);

/** The answer for a failed request to a service: away 503, too late 504, unintelligible 502. */
export const upstreamError = (cause: unknown): AppError => {
  const code = codeOf(cause) ?? '';
  if (code === 'ETIMEDOUT') {
    return new AppError('upstream_timeout', undefined, { cause });
  }
  return unreachableCodes.has(code)
    ? new AppError('service_unavailable', undefined, { cause, headers: { 'Retry-After': '1' } })
    : new AppError('bad_upstream', undefined, { cause });
};

/** What a request is ended with when its time is up. */
export const upstreamTimeout = (): Error =>
  Object.assign(new Error('The service did not answer in time'), { code: 'ETIMEDOUT' });
