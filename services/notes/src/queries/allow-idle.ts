import type { CompanyTx } from '@commonplace/db';

/**
 * Lets this transaction wait for a minute between two statements, where the role's limit is 10 s: what it
 * waits for has limits of its own.
 */
export const allowIdle = async (tx: CompanyTx): Promise<void> => {
  await tx.query("set local idle_in_transaction_session_timeout = '60s'", []);
};
