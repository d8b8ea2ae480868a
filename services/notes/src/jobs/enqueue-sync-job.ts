import { AppError, jobId, newId, type CompanyId, type JobId } from '@commonplace/contracts/core';
import type { SyncRequest } from '@commonplace/contracts/notes';
import { write } from '@commonplace/db';
import { writeJsonInSegments } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { countUnfinishedJobs, insertQueuedJob } from '../queries/job-queue.ts';
import { insertFeed } from '../queries/feed.ts';
import type { JobCaller } from '../queries/job-caller.ts';
import { insertJob } from '../queries/jobs.ts';

export type SyncJobInput = {
  readonly companyId: CompanyId;
  readonly caller: JobCaller;
  readonly body: SyncRequest;
  /** Bytes of the body as it was sent. */
  readonly bytes: number;
};

/** A change may be sent without a base, and is stored with one. */
const bytesAdded = ',"baseRevision":null'.length;

/** Unfinished jobs per company; each stores up to 32 MiB. */
const unfinishedJobsMax = 50;

/** Stores a background sync job; returns its id once it is durable. Throws `busy`. */
export const enqueueSyncJob = async (
  { db, clock, jobSignal }: Pick<Deps, 'db' | 'clock' | 'jobSignal'>,
  { companyId, caller, body, bytes }: SyncJobInput,
): Promise<JobId> => {
  const { clientId, cursor, limit, onConflict, pull, echo, proposals, changes } = body;
  const request = await writeJsonInSegments(
    { clientId, cursor, limit, onConflict, pull, echo, proposals, changes },
    bytes + changes.length * bytesAdded + 1024,
  );
  const orderer = clientId === undefined ? caller : { ...caller, clientId };
  const id = jobId.parse(newId());
  const at = clock();
  await write(db, companyId, async (tx) => {
    if ((await countUnfinishedJobs(tx)) >= unfinishedJobsMax) {
      throw new AppError(
        'busy',
        'Too many background synchronisations of this company are unfinished.',
        {
          headers: { 'Retry-After': '5' },
        },
      );
    }
    await Promise.all([
      // The purge finds old jobs through the feeds.
      insertFeed(tx, newId()),
      insertJob(tx, { id, caller: orderer, request, total: changes.length, at }),
      insertQueuedJob(tx, { id, at }),
    ]);
  });
  jobSignal.notify();
  return id;
};
