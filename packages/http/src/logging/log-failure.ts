import { codeOf, type AppError } from '@commonplace/contracts/core';
import type { Logger } from './create-log.ts';

/** Without `instanceof`, because errors of Node may come from another realm. */
const messageOf = (cause: unknown): string | undefined =>
  typeof cause === 'object' && cause !== null && 'message' in cause
    ? String(cause.message)
    : undefined;

/**
 * Logs why a response failed on our side: a bug (500) with its stack, an outage (502 to 504) without, so that it
 * does not flood the log.
 */
// oxlint-disable-next-line max-params -- the trace is one more id of the request
export const logFailure = (
  log: Logger,
  error: AppError,
  requestId: string,
  traceId?: string,
): void => {
  const ids = { requestId, ...(traceId === undefined ? {} : { traceId }) };
  if (error.status === 500) {
    log.error({ ...ids, err: error.cause ?? error }, error.code);
  } else if (error.status > 500) {
    const { cause, code: reason } = error;
    log.warn({ ...ids, reason, cause: messageOf(cause), system: codeOf(cause) }, error.message);
  }
};
