import { runGlobal, withCompany } from '@commonplace/db';
import { parseJsonInParts } from '@commonplace/http';
import { assertCursorCurrent } from '../feed/ensure-feed.ts';
import type { Deps } from '../deps.ts';
import { readCursor } from '../rules/sync-cursor.ts';
import {
  findJobPayload,
  startJob,
  type JobRequest,
  type JobTaskRow,
  type LeasedJob,
} from '../queries/jobs.ts';
import { renewLease } from '../queries/job-queue.ts';
import { applyChunk } from './apply-chunk.ts';
import { completeJob } from './finish-job.ts';

export type WorkDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'write' | 'authorizeJob'>;

/** How a worker holds a job. */
export type JobLease = {
  readonly job: LeasedJob;
  readonly leaseMs: number;
  /** Aborted when this process stops. */
  readonly stopping: AbortSignal;
};

/**
 * Works on a job from where it stands, chunk by chunk; `released` when it is left to another worker
 * before its end. Everything may happen twice (a lease runs out, a process dies after a COMMIT): the
 * log of mutations makes the second time change nothing.
 */
export const runJob = async (deps: WorkDeps, hold: JobLease): Promise<'ended' | 'released'> => {
  const { id, companyId } = hold.job;
  const task = await withCompany(deps.db, companyId, async (tx) => {
    await startJob(tx, id, deps.clock());
    return findJobPayload(tx, id);
  });
  if (task?.status !== 'running') {
    return 'ended';
  }
  const { caller, total } = task;
  const request = await readRequest(task);
  const cursor = request.cursor === null ? null : readCursor(request.cursor, companyId);
  const work = { companyId, id, caller, request, cursor };
  const authority = { companyId, caller, isWriting: total > 0 };
  let state = {
    done: task.done,
    progress: task.progress ?? { results: [], known: [], bytesShown: 0 },
  };
  await deps.authorizeJob(authority);
  if (state.done === 0) {
    await assertCursorCurrent(deps.db, companyId, cursor);
  }
  while (state.done < total) {
    if (hold.stopping.aborted || !(await renewJobLease(deps, hold))) {
      return 'released';
    }
    const next = await applyChunk(deps, work, state);
    if (!next) {
      return 'ended';
    }
    state = next;
    await deps.authorizeJob(authority);
  }
  await completeJob(deps, work, state);
  return 'ended';
};

/** It was checked before it was stored; 32 MiB parsed at once would hold up everybody. */
const readRequest = async ({ request }: Pick<JobTaskRow, 'request'>): Promise<JobRequest> =>
  (await parseJsonInParts(Buffer.from(request), { depthMax: 256 })) as JobRequest;

/** Makes sure that the job is still this worker's, for another lease. */
export const renewJobLease = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  hold: JobLease,
): Promise<boolean> =>
  runGlobal(db, (tx) => renewLease(tx, hold.job, new Date(clock().getTime() + hold.leaseMs)));
