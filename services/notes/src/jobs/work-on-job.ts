import { runGlobal, withCompany } from '@commonplace/db';
import { assertCursorCurrent } from '../commands/assert-cursor-current.ts';
import type { Deps } from '../deps.ts';
import { readCursor } from '../policy/sync-cursor.ts';
import { findJobTask } from '../queries/find-job-task.ts';
import type { LeasedJob } from '../queries/job-row.ts';
import { renewLease } from '../queries/renew-lease.ts';
import { startJob } from '../queries/start-job.ts';
import { applyChunk } from './apply-chunk.ts';
import { concludeJob } from './conclude-job.ts';

export type WorkDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'write' | 'checkJobCaller'>;

/** How a worker holds a job. */
export type Hold = {
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
export const workOnJob = async (deps: WorkDeps, hold: Hold): Promise<'ended' | 'released'> => {
  const { id, companyId } = hold.job;
  const task = await withCompany(deps.db, companyId, async (tx) => {
    await startJob(tx, id, deps.clock());
    return findJobTask(tx, id);
  });
  if (task?.status !== 'running') {
    return 'ended';
  }
  const { request, caller, total } = task;
  const cursor = request.cursor === null ? null : readCursor(request.cursor, companyId);
  const work = { companyId, id, caller, request, cursor };
  const authority = { companyId, caller, isWriting: total > 0 };
  let state = {
    done: task.done,
    progress: task.progress ?? { results: [], known: [], bytesShown: 0 },
  };
  await deps.checkJobCaller(authority);
  if (state.done === 0) {
    await assertCursorCurrent(deps.db, companyId, cursor);
  }
  while (state.done < total) {
    if (hold.stopping.aborted || !(await keepHold(deps, hold))) {
      return 'released';
    }
    const next = await applyChunk(deps, work, state);
    if (!next) {
      return 'ended';
    }
    state = next;
    await deps.checkJobCaller(authority);
  }
  await concludeJob(deps, work, state);
  return 'ended';
};

/** Makes sure that the job is still this worker's, for another lease. */
export const keepHold = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, hold: Hold): Promise<boolean> =>
  runGlobal(db, (tx) => renewLease(tx, hold.job, new Date(clock().getTime() + hold.leaseMs)));
