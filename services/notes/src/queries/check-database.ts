import type { GlobalTx } from '@commonplace/db';

/** Resolves when the database answers and the migrations were run. */
export const checkDatabase = async (tx: GlobalTx): Promise<void> => {
  await tx.query('select 1 from notes.notes limit 0');
};
