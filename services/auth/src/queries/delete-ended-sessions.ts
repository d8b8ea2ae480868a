import type { GlobalTx } from '@commonplace/db';

/** Sweeps sessions that have idled out or come to their end; they were dead before. */
export const deleteEndedSessions = async (tx: GlobalTx, now: Date): Promise<void> => {
  await tx.query('delete from auth.sessions where expire <= $1', [now]);
};
