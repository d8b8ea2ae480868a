import type { AnyTx } from './tx.ts';

/** Asks PostgreSQL for a sign of life. */
export const checkDatabase = async (tx: AnyTx): Promise<void> => {
  await tx.query('select 1');
};
