import {
  createBatchQueue,
  jobsThatPass,
  type BatchSize,
  type SettleJob,
} from '@commonplace/concurrency';
import { AppError, type CompanyId } from '@commonplace/contracts/core';
import { mayBeCommitted } from '@commonplace/db';
import { asAppError } from '@commonplace/http';
import { activeSpan, type Span } from '@commonplace/tracing';
import type { ReserveBytes } from '../limits/stored-budget.ts';
import { bytesOf } from './bytes-of.ts';
import type { WriteRequest, WriteResult } from './change.ts';
import type { WriteCounters } from './write-counters.ts';
import { inBatchSpan } from './batch-span.ts';
import { confirmAllowed, isRecentlyChecked, type CheckedWrite } from './confirm-allowed.ts';
import { CostlyWorkError } from './costly-work.ts';
import { writeCostly, type CostlyDeps } from './write-costly.ts';
import { writeBatch, type BatchDeps, type WrittenBatch } from './write-batch.ts';

export type NoteWriterDeps = BatchDeps &
  CostlyDeps & {
    /** Called after every COMMIT that changed notes. */
    readonly onCommit: (companyId: CompanyId, head: number) => void;
    readonly writeCounters: WriteCounters;
  };

const batchMax: BatchSize = { changes: 500, bytes: 16 * 1024 * 1024 };
const queueMax: BatchSize = { changes: 5_000, bytes: 64 * 1024 * 1024 };

/** Applies the changes of one request; resolves after COMMIT. */
export type WriteNotes = (companyId: CompanyId, request: WriteRequest) => Promise<WriteResult>;

/**
 * The only write path of notes: PUT, DELETE, restore, sync and background jobs all use it. Nothing else
 * writes `notes.notes`.
 */
export const createNoteWriter = (deps: NoteWriterDeps): WriteNotes => {
  const submit = createBatchQueue<CompanyId, QueuedWrite, WriteResult>({
    run: (companyId, jobs, settle) =>
      inBatchSpan(jobs, () => runIfStillAllowed({ ...deps, settle }, companyId, jobs)),
    batchMax,
    queueMax,
    rejection: tooManyWaiting,
  });
  return async (companyId, request) => {
    const changes = request.changes.length;
    const bytes = bytesOf(request);
    deps.writeCounters.waiting += changes;
    deps.writeCounters.waitingBytes += bytes;
    try {
      const job = { changes, bytes, checkedAtMs: performance.now(), span: activeSpan() };
      const write = (each: WriteRequest) => submit(companyId, { ...job, request: each });
      return await writeCostly(deps, { companyId, request, write });
    } finally {
      deps.writeCounters.waiting -= changes;
      deps.writeCounters.waitingBytes -= bytes;
    }
  };
};

const tooManyWaiting = (): AppError =>
  new AppError('busy', 'Too many changes of this company are waiting.');

type QueuedWrite = BatchSize &
  CheckedWrite & {
    readonly request: WriteRequest;
    /** Of the request. */
    readonly span: Span;
  };

type Batching = NoteWriterDeps & { readonly settle: SettleJob<QueuedWrite, WriteResult> };

/** Writes the jobs whose callers may still write; the others fail individually. */
const runIfStillAllowed = async (
  batching: Batching,
  companyId: CompanyId,
  jobs: readonly QueuedWrite[],
): Promise<void> => {
  const allowed = jobs.every(isRecentlyChecked)
    ? jobs
    : await jobsThatPass(jobs, confirmAllowed, batching.settle);
  if (allowed.length > 0) {
    await commitBatch(batching, companyId, allowed);
  }
};

const isCostly = (reason: unknown, { request }: QueuedWrite): boolean =>
  reason instanceof CostlyWorkError && reason.request === request;

/**
 * Commits all jobs in one transaction. If that fails, commits them one by one, so that only the job that cannot
 * be stored fails; hundreds of them may take longer than a check of their callers holds. Does not retry when
 * COMMIT may have happened: writing twice would be worse than an error. One that needs the thread leaves the others.
 */
const commitBatch = async (
  batching: Batching,
  companyId: CompanyId,
  jobs: readonly QueuedWrite[],
): Promise<void> => {
  const { settle } = batching;
  const failed = await tryCommitBatch(batching, companyId, jobs);
  if (failed === null) {
    return;
  }
  const leaving = jobs.find((job) => isCostly(failed.reason, job));
  if (leaving) {
    settle(leaving, failed);
    await runIfStillAllowed(
      batching,
      companyId,
      jobs.filter((job) => job !== leaving),
    );
  } else if (jobs.length === 1 || mayBeCommitted(failed.reason)) {
    jobs.forEach((job) => settle(job, failed));
  } else {
    await commitOneByOne(batching, companyId, jobs);
  }
};

/** After this many consecutive failures to reach the database, the rest of the batch fails without an attempt. */
const unavailableMax = 2;

const commitOneByOne = async (
  batching: Batching,
  companyId: CompanyId,
  jobs: readonly QueuedWrite[],
): Promise<void> => {
  let failures: PromiseRejectedResult[] = [];
  const settle: Batching['settle'] = (job, result) => {
    failures = isUnavailable(result) ? [...failures, result] : [];
    batching.settle(job, result);
  };
  for (const job of jobs) {
    const [failure] = failures.slice(unavailableMax - 1);
    if (failure) {
      batching.settle(job, failure);
    } else {
      await runIfStillAllowed({ ...batching, settle }, companyId, [job]);
    }
  }
};

const isUnavailable = (
  result: PromiseSettledResult<WriteResult>,
): result is PromiseRejectedResult =>
  result.status === 'rejected' && asAppError(result.reason).code === 'service_unavailable';

/** Writes jobs in one transaction, and settles all of them; otherwise returns why none was written. */
const tryCommitBatch = async (
  batching: Batching,
  companyId: CompanyId,
  jobs: readonly QueuedWrite[],
): Promise<PromiseRejectedResult | null> => {
  const requests = jobs.map(({ request }) => request);
  // The budget is shared by all companies, so the batch may wait for it.
  const reserveBytes: ReserveBytes = (bytes, work) =>
    batching.reserveBytes(bytes, async () => {
      await Promise.all(jobs.map(confirmAllowed));
      return work();
    });
  const writing = await Promise.allSettled([
    writeBatch({ ...batching, reserveBytes }, companyId, requests),
  ]);
  const [written] = writing;
  if (written.status === 'rejected') {
    return written;
  }
  // Everything is committed from here on: a failure below must not write it again.
  recordCommit(batching, companyId, written.value);
  const { outcomes: ofJobs, feed } = written.value;
  jobs.forEach((job, index) => {
    const outcomes = ofJobs[index] ?? new Error('A request was written without outcomes');
    batching.settle(
      job,
      outcomes instanceof Error
        ? { status: 'rejected', reason: outcomes }
        : { status: 'fulfilled', value: { outcomes, feed } },
    );
  });
  return null;
};

const recordCommit = (deps: NoteWriterDeps, companyId: CompanyId, written: WrittenBatch): void => {
  count(deps.writeCounters, written);
  if (written.hasVersions) {
    deps.onCommit(companyId, written.feed.head);
  }
};

const count = (writeCounters: WriteCounters, { outcomes }: WrittenBatch): void => {
  writeCounters.batches += 1;
  for (const { status } of outcomes.flatMap((each) => (each instanceof Error ? [] : each))) {
    writeCounters.batched += 1;
    writeCounters.outcomes[status] = (writeCounters.outcomes[status] ?? 0) + 1;
  }
};
