import { reachOfGrants } from '@commonplace/contracts/core';
import { write } from '@commonplace/db';
import { budgetedReader } from '../limits/work-limits.ts';
import { echoTo, pullWithResults, resultWithoutPull } from '../sync/synchronise.ts';
import type { Deps } from '../deps.ts';
import { deleteJobsBeyond, finishJob, lockJob, type JobEnd } from '../queries/jobs.ts';
import type { Work, WorkState } from './apply-chunk.ts';

/** Pulls what changed since the request's cursor, and ends the job with the complete result. */
export const completeJob = async (
  deps: Pick<Deps, 'db' | 'clock' | 'reserveBytes'>,
  work: Work,
  { progress: { results, known } }: WorkState,
): Promise<void> => {
  const { companyId, cursor, request, caller } = work;
  const pull = {
    reach: reachOfGrants(companyId, caller.grants ?? null),
    cursor,
    limit: request.limit,
    known,
    results,
    ...echoTo(caller.author, request),
  };
  // The number of workers limits jobs, and no client waits for a 503.
  const reader = budgetedReader(deps.reserveBytes);
  const result =
    request.pull === 'none'
      ? await resultWithoutPull(deps, pull)
      : await pullWithResults({ ...deps, reader }, pull);
  await endJob(deps, work, { status: 'succeeded', result, error: null, at: deps.clock() });
};

/** What a company keeps of its finished jobs, besides a week of them. */
const keptJobs = { count: 1_000, bytes: 64 * 1024 * 1024 } as const;

/** Ends a job, unless it has ended already. Deletes the oldest beyond what a company may keep. */
export const endJob = (
  { db }: Pick<Deps, 'db'>,
  { companyId, id }: Pick<Work, 'companyId' | 'id'>,
  end: JobEnd,
): Promise<void> =>
  write(db, companyId, async (tx) => {
    const job = await lockJob(tx, id);
    if (job?.status === 'queued' || job?.status === 'running') {
      await finishJob(tx, id, end);
      await deleteJobsBeyond(tx, keptJobs);
    }
  });
