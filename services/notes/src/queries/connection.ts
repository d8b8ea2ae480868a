import type { CompanyTx, GlobalTx } from '@commonplace/db';

/**
 * Raises the idle timeout of this transaction from the role's 10 s to 60 s. What it waits for has its own
 * limits.
 */
export const setIdleTimeout = async (tx: CompanyTx): Promise<void> => {
  await tx.query("set local idle_in_transaction_session_timeout = '60s'", []);
};

/** Rejects if the database is unreachable or not migrated. */
export const checkDatabase = async (tx: GlobalTx): Promise<void> => {
  await tx.query('select 1 from notes.notes limit 0');
};
