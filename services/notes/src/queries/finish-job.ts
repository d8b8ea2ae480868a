import type { JobId } from '@commonplace/contracts/core';
import type { SyncJobStatus, SyncResult } from '@commonplace/contracts/notes';
import type { CompanyTx } from '@commonplace/db';
import type { JobError } from './job-row.ts';

/** How a job ended. */
export type JobEnd = {
  readonly status: Extract<SyncJobStatus, 'succeeded' | 'failed' | 'cancelled'>;
  readonly result: SyncResult | null;
  readonly error: JobError | null;
  readonly at: Date;
};

/** Ends a job, under its lock. What it was asked to do is needed no longer, and is large. */
export const finishJob = async (tx: CompanyTx, id: JobId, end: JobEnd): Promise<void> => {
  const { status, result, error, at } = end;
  await tx.query(
    `with queued as (
       update notes.job_queue set is_finished = true, lease_token = null
       where id = $2 and company_id = $1
     )
     update notes.jobs
     set status = $3, result = $4, error = $5, finished_at = $6, request = '{}', results = null
     where company_id = $1 and id = $2`,
    [
      tx.companyId,
      id,
      status,
      result && JSON.stringify(result),
      error && JSON.stringify(error),
      at,
    ],
  );
};
