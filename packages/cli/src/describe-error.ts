import { ProblemError, type FieldError } from '@commonplace/client';

/**
 * Formats an error: its message, and the reason that fetch puts into the cause. Each field that the server refuses has
 * a line of its own.
 */
export const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) {
    return String(error);
  }
  if (error instanceof ProblemError && error.errors.length > 0) {
    return [error.message, ...error.errors.map(describeField)].join('\n');
  }
  const { cause } = error;
  const reason = cause instanceof Error ? (codeOf(cause) ?? cause.message) : undefined;
  return reason === undefined ? error.message : `${error.message} (${reason})`;
};

/** Whether no server responded: fetch throws a TypeError with a cause. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError && error.cause !== undefined;

/** Returns the code of a system error, such as ECONNREFUSED. */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

const describeField = ({ path, message }: FieldError): string => `  ${path || '/'} ${message}`;
