import type { GlobalTx } from '@commonplace/db';

/** Lets go of history from before a time; the function keeps the last 90 days in any case. */
export const forgetSignIns = async (tx: GlobalTx, before: Date): Promise<void> => {
  await tx.query('select auth.forget_sign_ins($1)', [before]);
};
