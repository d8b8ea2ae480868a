/**
 * Waits for statements of a transaction that were sent one after the other, and fails as the first of them
 * that failed: those behind it only say that the transaction is aborted, and may be heard of sooner.
 */
export const allSent = async (statements: readonly unknown[]): Promise<void> => {
  const results = await Promise.allSettled(statements);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    throw failed.reason;
  }
};
