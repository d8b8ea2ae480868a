import { AppError, codeOf, unreachableCodes } from '@commonplace/contracts';

/** The error for a failed upstream request: 503 when unreachable, 504 when too late, 502 when no valid HTTP. */
export const upstreamError = (cause: unknown): AppError => {
  const code = codeOf(cause) ?? '';
  if (code === 'ETIMEDOUT') {
    return new AppError('upstream_timeout', undefined, { cause });
  }
  return unreachableCodes.has(code)
    ? new AppError('service_unavailable', undefined, { cause })
    : new AppError('bad_upstream', undefined, { cause });
};

/** The error that an upstream request is destroyed with at its deadline. */
export const upstreamTimeout = (): Error =>
  Object.assign(new Error('The service did not respond in time'), { code: 'ETIMEDOUT' });
