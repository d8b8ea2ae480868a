import { codeOf } from '@commonplace/contracts/core';

/** SQLSTATEs we act on: https://www.postgresql.org/docs/18/errcodes-appendix.html */
export const uniqueViolation = '23505';

/** Serialization failure and deadlock: the same transaction may succeed when tried again. */
export const isRetryable = (error: unknown): boolean =>
  ['40001', '40P01'].includes(codeOf(error) ?? '');

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === uniqueViolation;

/**
 * True when the server itself refused a statement. False for a lost connection or a time-out, where the
 * statement may have had its effect.
 */
export const isRefusal = (error: unknown): boolean =>
  /^(?!08|53|57|58)(?=.*\d)[0-9A-Z]{5}$/.test(codeOf(error) ?? '');

/**
 * True when the server ends the connection with this error (57P01 to 57P05: it was terminated, or the server
 * stops). Its socket closes a moment later, and until then the connection looks as good as any.
 */
export const isConnectionFatal = (error: unknown): boolean =>
  /^57P0[1-5]$/.test(codeOf(error) ?? '');
