import { reachOfGrants, type CompanyId, type JobId } from '@commonplace/contracts/core';
import { write } from '@commonplace/db';
import { priorChanges } from '../sync/prior-changes.ts';
import { pushWithResults } from '../sync/synchronise.ts';
import type { Deps } from '../deps.ts';
import type { SyncCursor } from '../rules/sync-cursor.ts';
import { holdLeases, type HeldLease } from '../queries/job-queue.ts';
import {
  countApplied,
  lockJob,
  updateJobProgress,
  type JobProgress,
  type JobRequest,
} from '../queries/jobs.ts';
import { pageBytesMax } from '../queries/note-rows.ts';
import type { JobCaller } from '../queries/job-caller.ts';
import { LeaseLostError } from '../write/lease-lost.ts';
import { nextChunk } from './next-chunk.ts';

/** A job's request and its caller. */
export type Work = {
  readonly companyId: CompanyId;
  readonly id: JobId;
  readonly lease: HeldLease;
  readonly caller: JobCaller;
  readonly request: JobRequest;
  readonly cursor: SyncCursor | null;
};

type ChunkDeps = Pick<Deps, 'db' | 'writeNotes' | 'authorizeJob'>;

/** The number of processed changes, and their results. */
export type WorkState = { readonly done: number; readonly progress: JobProgress };

/**
 * Applies the next changes of a job and stores their results. Null: the job has ended, or another worker
 * has continued it. Nothing is locked while the chunk waits in the company's queue: the transaction that writes it
 * refuses it if the lease is lost, and holds the lease until COMMIT, so that nothing is applied after a cancellation.
 */
export const applyChunk = async (
  deps: ChunkDeps,
  work: Work,
  state: WorkState,
): Promise<WorkState | null> => {
  let written = state.done;
  const writeLeased: Deps['writeNotes'] = async (companyId, request) => {
    const result = await deps.writeNotes(companyId, { ...request, lease: work.lease });
    written += request.changes.length;
    return result;
  };
  const next = await pushNext({ ...deps, writeNotes: writeLeased }, work, state).catch(unlessLost);
  return write(deps.db, work.companyId, async (tx) => {
    const job = await lockJob(tx, work.id);
    const held = await holdLeases(tx, [work.lease]);
    if (next && job?.status === 'running' && held.size > 0) {
      await updateJobProgress(tx, work.id, next);
      return next;
    }
    await countApplied(tx, work.id, written);
    return null;
  });
};

/** Null: the lease was lost while the chunk waited. */
const unlessLost = (error: unknown): null => {
  if (error instanceof LeaseLostError) {
    return null;
  }
  throw error;
};

const pushNext = async (
  deps: ChunkDeps,
  { companyId, caller, request }: Work,
  { done, progress }: WorkState,
): Promise<WorkState> => {
  const { clientId = '', onConflict, proposals = false } = request;
  const changes = nextChunk(request.changes, done);
  const prior = priorChanges(changes, request.changes, progress.results);
  const { author, grants = null } = caller;
  // The chunk may wait for other writes of its company, and its caller may lose access meanwhile.
  const recheck = () => deps.authorizeJob({ companyId, caller, isWriting: true });
  const reach = reachOfGrants(companyId, grants);
  const common = { reach, grants, author, clientId, onConflict, proposals };
  const push = { ...common, changes, priorChanges: prior, recheck };
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
