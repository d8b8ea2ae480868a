import { AppError, type CompanyId, type JobId } from '@commonplace/contracts/core';
import { write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import type { JobCaller } from '../queries/job-caller.ts';
import { finishJob, lockJob } from '../queries/jobs.ts';

export type Cancellation = {
  readonly companyId: CompanyId;
  readonly id: JobId;
  /** Throws when the request may not access this caller's job. */
  readonly assertAccess: (caller: JobCaller) => void;
};

/** Cancels what a job has not applied yet; waits for the chunk in progress. Throws 404 and 409. */
export const cancelJob = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { companyId, id, assertAccess }: Cancellation,
): Promise<void> =>
  write(db, companyId, async (tx) => {
    const job = await lockJob(tx, id);
    if (!job) {
      throw new AppError('not_found', 'No such job.');
    }
    assertAccess(job.caller);
    if (job.status !== 'queued' && job.status !== 'running') {
      throw new AppError(
        'job_finished',
        `The job has already ended: it ${job.status === 'cancelled' ? 'was' : 'has'} ${job.status}.`,
      );
    }
    await finishJob(tx, id, { status: 'cancelled', result: null, error: null, at: clock() });
  });
