/** SQLSTATEs we act on: https://www.postgresql.org/docs/18/errcodes-appendix.html */
export const uniqueViolation = '23505';

/** The SQLSTATE or system error code of an error, also across module realms. */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/** Serialization failure and deadlock: the same transaction may succeed when tried again. */
export const isRetryable = (error: unknown): boolean =>
  ['40001', '40P01'].includes(codeOf(error) ?? '');

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === uniqueViolation;
