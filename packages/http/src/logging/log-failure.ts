import { codeOf, type AppError } from '@commonplace/contracts/core';
import type { Logger } from './create-log.ts';

/** Not by `instanceof`: what Node itself throws may come from another realm. */
const messageOf = (cause: unknown): string | undefined =>
  typeof cause === 'object' && cause !== null && 'message' in cause
    ? String(cause.message)
    : undefined;

/**
 * Writes down why an answer failed on our side. A bug (500) comes with its stack; something that is
 * away for a moment (502-504) is a line without one, or an outage would bury everything else.
 */
export const logFailure = (log: Logger, error: AppError, requestId: string): void => {
  if (error.status === 500) {
    log.error({ requestId, err: error.cause ?? error }, error.code);
  } else if (error.status > 500) {
    const { cause, code: reason } = error;
    log.warn({ requestId, reason, cause: messageOf(cause), system: codeOf(cause) }, error.message);
  }
};
