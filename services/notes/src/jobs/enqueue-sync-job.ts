import { AppError, jobId, newId, type CompanyId, type JobId } from '@commonplace/contracts/core';
import type { SyncRequest } from '@commonplace/contracts/notes';
import { withCompany } from '@commonplace/db';
import { writeJsonInParts } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { countUnfinishedJobs, insertQueuedJob } from '../queries/job-queue.ts';
import { insertFeed } from '../queries/feed.ts';
import { insertJob, type JobCaller } from '../queries/jobs.ts';

export type SyncJobOrder = {
  readonly companyId: CompanyId;
  readonly caller: JobCaller;
  readonly body: SyncRequest;
};

/** Jobs of one company that may wait or run: up to 32 MiB each are stored for them. */
const unfinishedJobsMax = 50;

/** Stores a synchronisation for the background; when it resolves, the job survives anything. */
export const enqueueSyncJob = async (
  { db, clock, jobSignal }: Pick<Deps, 'db' | 'clock' | 'jobSignal'>,
  { companyId, caller, body }: SyncJobOrder,
): Promise<JobId> => {
  const { clientId, cursor, limit, onConflict, changes } = body;
  const request = await writeJsonInParts({ clientId, cursor, limit, onConflict, changes });
  const id = jobId.parse(newId());
  const at = clock();
  await withCompany(db, companyId, async (tx) => {
    if ((await countUnfinishedJobs(tx)) >= unfinishedJobsMax) {
      throw new AppError('busy', 'Too many synchronisations of this company are waiting.', {
        headers: { 'Retry-After': '5' },
      });
    }
    await Promise.all([
      // Old jobs are cleared away by the feeds there are.
      insertFeed(tx, newId()),
      insertJob(tx, { id, caller, request, total: changes.length, at }),
      insertQueuedJob(tx, { id, at }),
    ]);
  });
  jobSignal.notify();
  return id;
};
