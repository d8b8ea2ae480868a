import type { GlobalTx } from '@commonplace/db';

/** Rejects when the database cannot be asked, or was not migrated. */
export const checkDatabase = async (tx: GlobalTx): Promise<void> => {
  await tx.query('select from auth.instance');
};
