import type { GlobalTx } from '@commonplace/db';

/** Jobs that are not finished. */
export type JobCounts = {
  readonly waiting: number;
  readonly running: number;
  /** Seconds since the oldest of them was ordered; 0 without one. */
  readonly oldestSeconds: number;
};

/** Counts the unfinished jobs of all companies, by whether a worker holds them. */
export const countJobs = async (tx: GlobalTx, now: Date): Promise<JobCounts> => {
  const [row] = await tx.query<JobCounts>(
    `select count(*) filter (where lease_token is null)::integer as waiting,
       count(lease_token)::integer as running,
       coalesce(extract(epoch from $1::timestamptz - min(created_at)), 0)::double precision
         as "oldestSeconds"
     from notes.job_queue
     where not is_finished`,
    [now],
  );
  return row ?? { waiting: 0, running: 0, oldestSeconds: 0 };
};
