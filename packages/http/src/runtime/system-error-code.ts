/** The SQLSTATE or system code of anything thrown, looking through `cause` (fetch wraps its errors). */
export const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) {
    return undefined;
  }
  if ('code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return 'cause' in error ? codeOf(error.cause) : undefined;
};
