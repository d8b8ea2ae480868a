import type { GlobalTx } from '@commonplace/db';
import type { LeasedJob } from './job-row.ts';

export type Release = {
  readonly availableAt: Date;
  /** The attempt counts against the job; not when something else was away. */
  readonly isAttempt: boolean;
};

/** Gives a job back to the queue, for any worker to go on with. */
export const releaseJob = async (
  tx: GlobalTx,
  { id, leaseToken }: Pick<LeasedJob, 'id' | 'leaseToken'>,
  { availableAt, isAttempt }: Release,
): Promise<void> => {
  await tx.query(
    `update notes.job_queue
     set lease_token = null, available_at = $3, attempts = attempts - $4
     where id = $1 and lease_token = $2 and not is_finished`,
    [id, leaseToken, availableAt, isAttempt ? 0 : 1],
  );
};
