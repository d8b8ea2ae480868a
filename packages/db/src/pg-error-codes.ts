import { codeOf } from '@commonplace/contracts/core';

// The SQLSTATEs that are handled; see https://www.postgresql.org/docs/18/errcodes-appendix.html

/** Serialization failure and deadlock: the same transaction may succeed when retried. */
export const isRetryable = (error: unknown): boolean =>
  ['40001', '40P01'].includes(codeOf(error) ?? '');

/** An earlier statement of the transaction failed. */
export const isAborted = (error: unknown): boolean => codeOf(error) === '25P02';

/**
 * True when the server rejected a statement. False for a lost connection or a timeout, where the statement may
 * have taken effect.
 */
export const isRefusal = (error: unknown): boolean =>
  /^(?!08|53|57|58)(?=.*\d)[0-9A-Z]{5}$/.test(codeOf(error) ?? '');

/**
 * True when the server ends the connection with this error (57P01 to 57P05: it was terminated, or the server
 * stops). Its socket closes a moment later; until then the connection looks usable.
 */
export const isConnectionFatal = (error: unknown): boolean =>
  /^57P0[1-5]$/.test(codeOf(error) ?? '');
