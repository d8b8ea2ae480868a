/** The `code` of an error or of its nearest cause that has one: a SQLSTATE, a system error or an error of ours. */
export const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) {
    return undefined;
  }
  if ('code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return 'cause' in error ? codeOf(error.cause) : undefined;
};
