import { AppError, type CompanyId, type JobId } from '@commonplace/contracts/core';
import { withCompany } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { finishJob, lockJob, type JobCaller } from '../queries/jobs.ts';

export type Cancellation = {
  readonly companyId: CompanyId;
  readonly id: JobId;
  /** Throws when the caller may not have to do with this job. */
  readonly assertMay: (caller: JobCaller) => void;
};

/** Cancels what a job has not applied yet; a chunk that is just being applied is waited for. */
export const cancelJob = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { companyId, id, assertMay }: Cancellation,
): Promise<void> =>
  withCompany(db, companyId, async (tx) => {
    const job = await lockJob(tx, id);
    if (!job) {
      throw new AppError('not_found', 'No such job.');
    }
    assertMay(job.caller);
    if (job.status !== 'queued' && job.status !== 'running') {
      throw new AppError(
        'job_finished',
        `The job has already ended: it ${job.status === 'cancelled' ? 'was' : 'has'} ${job.status}.`,
      );
    }
    await finishJob(tx, id, { status: 'cancelled', result: null, error: null, at: clock() });
  });
