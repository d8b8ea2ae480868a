import type { GlobalTx } from '@commonplace/db';

/** Records when the local operator's memberships were handed over; null: they are to be, again. */
export const updateAdoption = async (tx: GlobalTx, at: Date | null): Promise<void> => {
  await tx.query('update auth.instance set local_memberships_adopted_at = $1', [at]);
};
