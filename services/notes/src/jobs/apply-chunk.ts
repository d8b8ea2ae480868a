import type { CompanyId, JobId } from '@commonplace/contracts/core';
import { withCompany } from '@commonplace/db';
import { earlierOf } from '../commands/earlier-of.ts';
import { pageBytesMax } from '../commands/pull-changes.ts';
import { pushChanges } from '../commands/push-changes.ts';
import { recallNotes } from '../commands/recall-notes.ts';
import { reportOutcomes, type Report } from '../commands/report-outcomes.ts';
import type { Deps } from '../deps.ts';
import type { SyncCursor } from '../policy/sync-cursor.ts';
import { presentChangeResult } from '../present/present-sync-result.ts';
import type { JobCaller, JobProgress, JobRequest } from '../queries/job-row.ts';
import { allowIdle } from '../queries/allow-idle.ts';
import { lockJob } from '../queries/lock-job.ts';
import { updateJobProgress } from '../queries/update-job-progress.ts';
import { nextChunk } from './job-chunk.ts';

/** What a job is to do. */
export type Work = {
  readonly companyId: CompanyId;
  readonly id: JobId;
  readonly caller: JobCaller;
  readonly request: JobRequest;
  readonly cursor: SyncCursor | null;
};

type ChunkDeps = Pick<Deps, 'db' | 'write' | 'checkJobCaller'>;

/** How far it has come. */
export type WorkState = { readonly done: number; readonly progress: JobProgress };

/**
 * Applies the next changes of a job and remembers what became of them; null when the job has ended or
 * moved on meanwhile. The lock of the job is held while the notes are written (in a transaction of
 * their own, by the one write path), so that after a cancellation nothing more is applied.
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
    // The chunk may wait in the company's lane. Without the lock a cancellation would not wait for it.
    await allowIdle(tx);
    const next = await pushNext(deps, work, state);
    await updateJobProgress(tx, work.id, next);
    return next;
  });

const pushNext = async (
  { db, write, checkJobCaller }: ChunkDeps,
  { companyId, caller, request }: Work,
  { done, progress }: WorkState,
): Promise<WorkState> => {
  const { clientId = '', onConflict } = request;
  const changes = nextChunk(request.changes, done);
  const earlier = earlierOf(changes, request.changes, progress.results);
  // The chunk may wait for others of its company, and its caller lose access meanwhile.
  const stillAllowed = () => checkJobCaller({ companyId, caller, isWriting: true });
  const { author } = caller;
  const push = { companyId, author, clientId, onConflict, changes, earlier, stillAllowed };
  const { pushed } = await pushChanges({ db, write }, push);
  const recalled = await recallNotes(db, companyId, pushed);
  const report = reportOutcomes(recalled, pageBytesMax - progress.bytesShown);
  return { done: done + changes.length, progress: sum(progress, report) };
};

const sum = (progress: JobProgress, { results, known, bytesShown }: Report): JobProgress => ({
  results: [...progress.results, ...results.map(presentChangeResult)],
  known: [...progress.known, ...known],
  bytesShown: progress.bytesShown + bytesShown,
});
