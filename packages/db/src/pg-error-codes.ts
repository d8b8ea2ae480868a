import { codeOf } from '@commonplace/contracts/core';

// The SQLSTATEs that are handled; see https://www.postgresql.org/docs/18/errcodes-appendix.html

/** Serialization failure and deadlock: the same transaction may succeed when retried. */
export const isRetryable = (error: unknown): boolean =>
  ['40001', '40P01'].includes(codeOf(error) ?? '');

/** An earlier statement of the transaction failed. */
export const isAborted = (error: unknown): boolean => codeOf(error) === '25P02';

/**
 * True when the server rejected a COMMIT: it violates a constraint (class 23), or may succeed when retried. After any other
 * error the transaction may have been committed: the connection was lost, a timeout passed, or a coordinator of Citus
 * does not know what its worker did, which it reports as XX000.
 */
export const isCommitRefusal = (error: unknown): boolean =>
  isRetryable(error) || /^23[0-9A-Z]{3}$/.test(codeOf(error) ?? '');

/** read_only_sql_transaction. */
export const isReadOnlyServer = (error: unknown): boolean => codeOf(error) === '25006';

/** internal_error: on Citus also that of a worker whose connection was lost during COMMIT. */
export const isInternalError = (error: unknown): boolean => codeOf(error) === 'XX000';

/**
 * True when the server ends the connection with this error (57P01 to 57P05: it was terminated, or the server
 * stops). Its socket closes a moment later; until then the connection looks usable.
 */
export const isConnectionFatal = (error: unknown): boolean =>
  /^57P0[1-5]$/.test(codeOf(error) ?? '');
