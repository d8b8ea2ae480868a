import type { JobId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import type { JobProgress } from './job-row.ts';

export type JobStep = { readonly done: number; readonly progress: JobProgress };

/** Remembers what became of a chunk, under the lock of the job; earlier attempts are forgiven. */
export const updateJobProgress = async (
  tx: CompanyTx,
  id: JobId,
  { done, progress }: JobStep,
): Promise<void> => {
  await tx.query(
    `with queued as (
       update notes.job_queue set attempts = 1 where id = $2 and company_id = $1
     )
     update notes.jobs set done = $3, results = $4 where company_id = $1 and id = $2`,
    [tx.companyId, id, done, JSON.stringify(progress)],
  );
};
