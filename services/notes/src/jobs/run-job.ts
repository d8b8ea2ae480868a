import { reachOfGrants, undoId } from '@commonplace/contracts/core';
import { read, write } from '@commonplace/db';
import { parseJsonInSegments } from '@commonplace/http';
import { endAfter, SpanKind, startTrace } from '@commonplace/tracing';
import { assertCursorCurrent } from '../feed/ensure-feed.ts';
import type { Deps } from '../deps.ts';
import { readCursor } from '../rules/sync-cursor.ts';
import {
  findJobPayload,
  findJobTask,
  startJob,
  type JobPayload,
  type JobRequest,
  type LeasedJob,
} from '../queries/jobs.ts';
import { hasWaitingUndo, renewLease } from '../queries/job-queue.ts';
import { applyChunk } from './apply-chunk.ts';
import { runUndo, type RunningUndo } from '../undo/run-undo.ts';
import { completeJob } from './finish-job.ts';

export type WorkDeps = Pick<
  Deps,
  | 'db'
  | 'clock'
  | 'log'
  | 'writeNotes'
  | 'authorizeJob'
  | 'reserveBytes'
  | 'reserveUndoBytes'
  | 'takeOutLines'
>;

/** A job claimed by a worker. */
export type JobLease = {
  readonly job: LeasedJob;
  readonly leaseMs: number;
  /** Aborted when this process stops. */
  readonly stopping: AbortSignal;
};

/**
 * Runs a job from its stored progress, chunk by chunk; `released`: another worker continues it. A chunk may run
 * twice (a lease expires, a process dies after COMMIT): the mutation log makes the second run a no-op.
 */
export const runJob = async (deps: WorkDeps, lease: JobLease): Promise<'ended' | 'released'> => {
  const { id, companyId } = lease.job;
  const job = await write(deps.db, companyId, async (tx) => {
    await startJob(tx, id, deps.clock());
    return findJobTask(tx, id);
  });
  if (!job) {
    return inChunkSpan(lease.job, () => runUndo(deps, undoOf(deps, lease)));
  }
  if (job.status !== 'running') {
    return 'ended';
  }
  const { caller, total } = job;
  const authority = { companyId, caller, isWriting: total > 0 };
  await deps.authorizeJob(authority);
  const payload = await read(deps.db, companyId, (tx) => findJobPayload(tx, id));
  if (!payload) {
    return 'ended';
  }
  const request = await readRequest(payload);
  const reach = reachOfGrants(companyId, caller.grants ?? null);
  const cursor = request.cursor === null ? null : readCursor(request.cursor, reach);
  const work = { companyId, id, lease: lease.job, caller, request, cursor };
  let state = {
    done: payload.done,
    progress: payload.progress ?? { results: [], known: [], bytesShown: 0 },
  };
  if (state.done === 0) {
    await assertCursorCurrent(deps.db, companyId, cursor);
  }
  while (state.done < total) {
    if (
      lease.stopping.aborted ||
      (await isUndoWaiting(deps)) ||
      !(await renewJobLease(deps, lease))
    ) {
      return 'released';
    }
    const next = await inChunkSpan(lease.job, () => applyChunk(deps, work, state));
    if (!next) {
      return 'ended';
    }
    state = next;
    await deps.authorizeJob(authority);
  }
  await completeJob(deps, work, state);
  return 'ended';
};

/** Undos do not wait for the end of a synchronisation, which may be minutes away. */
const isUndoWaiting = ({ db, clock }: WorkDeps): Promise<boolean> =>
  read(db, 'global', (tx) => hasWaitingUndo(tx, clock()));

/** Undos share the queue of the jobs. */
const undoOf = (deps: WorkDeps, lease: JobLease): RunningUndo => ({
  companyId: lease.job.companyId,
  id: undoId.parse(lease.job.id),
  leaseToken: lease.job.leaseToken,
  mayGoOn: async () => !lease.stopping.aborted && (await renewJobLease(deps, lease)),
});

/** A job outlives the request that made it, so each of its chunks is a trace. */
const inChunkSpan = <Result>(
  { id, companyId }: LeasedJob,
  work: () => Promise<Result>,
): Promise<Result> => {
  const span = startTrace('job chunk', {
    kind: SpanKind.INTERNAL,
    traceparent: undefined,
    decides: 'sampler',
    attributes: { 'commonplace.job_id': id, 'commonplace.company_id': companyId },
  });
  return endAfter(span, work);
};

/** The request was validated before it was stored. Parsing 32 MiB at once would block the event loop. */
const readRequest = async ({ request }: Pick<JobPayload, 'request'>): Promise<JobRequest> =>
  (await parseJsonInSegments(Buffer.from(request), { depthMax: 256 })) as JobRequest;

/** Extends the lease; false: another worker has the job, or it has ended. */
export const renewJobLease = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  lease: JobLease,
): Promise<boolean> =>
  write(db, 'global', (tx) =>
    renewLease(tx, lease.job, new Date(clock().getTime() + lease.leaseMs)),
  );
