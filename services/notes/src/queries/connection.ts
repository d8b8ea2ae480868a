import type { CompanyTx, GlobalTx } from '@commonplace/db';

/**
 * Lets this transaction wait for a minute between two statements, where the role's limit is 10 s: what it
 * waits for has limits of its own.
 */
export const setIdleTimeout = async (tx: CompanyTx): Promise<void> => {
  await tx.query("set local idle_in_transaction_session_timeout = '60s'", []);
};

/** Resolves when the database answers and the migrations were run. */
export const checkDatabase = async (tx: GlobalTx): Promise<void> => {
  await tx.query('select 1 from notes.notes limit 0');
};
