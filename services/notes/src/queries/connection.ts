import type { GlobalTx } from '@commonplace/db';

/** Rejects if the database is unreachable or not migrated. */
export const checkDatabase = async (tx: GlobalTx): Promise<void> => {
  await tx.query('select 1 from notes.notes limit 0');
};
