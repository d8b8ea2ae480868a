/** Formats an error as one line: its message, and the reason that fetch puts into the cause. */
export const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const { cause } = error;
  const reason = cause instanceof Error ? (codeOf(cause) ?? cause.message) : undefined;
  return reason === undefined ? error.message : `${error.message} (${reason})`;
};

/** Returns the code of a system error, such as ECONNREFUSED. */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
