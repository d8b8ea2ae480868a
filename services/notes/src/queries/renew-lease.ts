import type { GlobalTx } from '@commonplace/db';
import type { LeasedJob } from './job-row.ts';

/** Keeps a job for longer. False: the lease ran out and another worker has it, or it has ended. */
export const renewLease = async (
  tx: GlobalTx,
  { id, leaseToken }: Pick<LeasedJob, 'id' | 'leaseToken'>,
  until: Date,
): Promise<boolean> => {
  const rows = await tx.query(
    `update notes.job_queue set available_at = $3
     where id = $1 and lease_token = $2 and not is_finished
     returning id`,
    [id, leaseToken, until],
  );
  return rows.length > 0;
};
