import type { CompanyId, JobId } from '@commonplace/contracts/core';
import { withCompany } from '@commonplace/db';
import { priorChanges } from '../sync/prior-changes.ts';
import { pageBytesMax } from '../sync/pull-changes.ts';
import { pushWithResults } from '../sync/synchronise.ts';
import type { Deps } from '../deps.ts';
import type { SyncCursor } from '../rules/sync-cursor.ts';
import {
  lockJob,
  updateJobProgress,
  type JobCaller,
  type JobProgress,
  type JobRequest,
} from '../queries/jobs.ts';
import { setIdleTimeout } from '../queries/connection.ts';
import { nextChunk } from './next-chunk.ts';

/** A job's request and its caller. */
export type Work = {
  readonly companyId: CompanyId;
  readonly id: JobId;
  readonly caller: JobCaller;
  readonly request: JobRequest;
  readonly cursor: SyncCursor | null;
};

type ChunkDeps = Pick<Deps, 'db' | 'write' | 'authorizeJob'>;

/** The number of processed changes, and their results. */
export type WorkState = { readonly done: number; readonly progress: JobProgress };

/**
 * Applies the next changes of a job and stores their results. Null: the job has ended, or another worker
 * has continued it. The job is locked while another transaction writes the notes, so that nothing is
 * applied after a cancellation.
 */
export const applyChunk = (
  deps: ChunkDeps,
  work: Work,
  state: WorkState,
): Promise<WorkState | null> =>
  withCompany(deps.db, work.companyId, async (tx) => {
    const job = await lockJob(tx, work.id);
    if (job?.status !== 'running' || job.done !== state.done) {
      return null;
    }
    // The chunk may wait in the company's queue. Without the lock a cancellation would not wait for it.
    await setIdleTimeout(tx);
    const next = await pushNext(deps, work, state);
    await updateJobProgress(tx, work.id, next);
    return next;
  });

const pushNext = async (
  deps: ChunkDeps,
  { companyId, caller, request }: Work,
  { done, progress }: WorkState,
): Promise<WorkState> => {
  const { clientId = '', onConflict } = request;
  const changes = nextChunk(request.changes, done);
  const prior = priorChanges(changes, request.changes, progress.results);
  const { author } = caller;
  // The chunk may wait for other writes of its company, and its caller may lose access meanwhile.
  const stillAllowed = () => deps.authorizeJob({ companyId, caller, isWriting: true });
  const common = { companyId, author, clientId, onConflict };
  const push = { ...common, changes, priorChanges: prior, stillAllowed };
  const pushed = await pushWithResults(deps, push, pageBytesMax - progress.bytesShown);
  return {
    done: done + changes.length,
    progress: {
      results: [...progress.results, ...pushed.results],
      known: [...progress.known, ...pushed.known],
      bytesShown: progress.bytesShown + pushed.bytesShown,
    },
  };
};
