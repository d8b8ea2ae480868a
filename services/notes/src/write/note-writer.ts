import { createBatchQueue, type BatchSize } from '@commonplace/concurrency';
import { AppError, type CompanyId } from '@commonplace/contracts/core';
import { mayBeCommitted } from '@commonplace/db';
import { asAppError } from '@commonplace/http';
import { activeSpan, type Span } from '@commonplace/tracing';
import type { ReserveBytes } from '../limits/byte-budget.ts';
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
export type WriteNotes = (companyId: CompanyId, submission: WriteRequest) => Promise<WriteResult>;

/**
 * The only write path of notes: PUT, DELETE, restore, sync and background jobs all use it. Nothing else
 * writes `notes.notes`.
 */
export const createNoteWriter = (deps: NoteWriterDeps): WriteNotes => {
  const submit = createBatchQueue<CompanyId, QueuedWrite, WriteResult>({
    run: (companyId, jobs) => inBatchSpan(jobs, () => runIfStillAllowed(deps, companyId, jobs)),
    batchMax,
    queueMax,
    rejection: tooManyWaiting,
  });
  return async (companyId, submission) => {
    const changes = submission.changes.length;
    const bytes = bytesOf(submission);
    deps.writeCounters.waiting += changes;
    deps.writeCounters.waitingBytes += bytes;
    try {
      const job = { changes, bytes, checkedAtMs: performance.now(), span: activeSpan() };
      const write = (request: WriteRequest) => submit(companyId, { ...job, submission: request });
      return await writeCostly(deps, { companyId, submission, write });
    } finally {
      deps.writeCounters.waiting -= changes;
      deps.writeCounters.waitingBytes -= bytes;
    }
  };
};

const tooManyWaiting = (): AppError =>
  new AppError('busy', 'Too many changes of this company are waiting.', {
    headers: { 'Retry-After': '1' },
  });

type QueuedWrite = BatchSize &
  CheckedWrite & {
    readonly submission: WriteRequest;
    /** Of the request; null when it is not traced. */
    readonly span: Span | null;
  };

/** Writes the jobs whose callers may still write; the others fail individually. */
const runIfStillAllowed = async (
  deps: NoteWriterDeps,
  companyId: CompanyId,
  jobs: readonly QueuedWrite[],
): Promise<PromiseSettledResult<WriteResult>[]> => {
  if (jobs.every(isRecentlyChecked)) {
    return commitBatch(deps, companyId, jobs);
  }
  const checks = await Promise.allSettled(jobs.map(confirmAllowed));
  const allowed = jobs.filter((_, index) => checks[index]?.status === 'fulfilled');
  const written = allowed.length > 0 ? await commitBatch(deps, companyId, allowed) : [];
  const results = written.values();
  return checks.map((check) =>
    check.status === 'rejected'
      ? check
      : (results.next().value ?? { status: 'rejected', reason: new Error('A job has no result') }),
  );
};

const isCostly = (reason: unknown, submission: WriteRequest): boolean =>
  reason instanceof CostlyWorkError && reason.request === submission;

/** After this many consecutive failures to reach the database, the rest of the batch fails without an attempt. */
const unavailableMax = 2;

/**
 * Commits all jobs in one transaction. If that fails, commits them one by one, so that only the job that cannot
 * be stored fails; hundreds of them may take longer than a check of their callers holds. Does not retry when
 * COMMIT may have happened: writing twice would be worse than an error.
 */
const commitBatch = async (
  deps: NoteWriterDeps,
  companyId: CompanyId,
  jobs: readonly QueuedWrite[],
): Promise<PromiseSettledResult<WriteResult>[]> => {
  const together = await tryCommitBatch(deps, companyId, jobs);
  if ('results' in together) {
    return together.results;
  }
  const { reason } = together;
  const leaving = jobs.findIndex(({ submission }) => isCostly(reason, submission));
  if (leaving >= 0) {
    const others = jobs.toSpliced(leaving, 1);
    const written = others.length > 0 ? await runIfStillAllowed(deps, companyId, others) : [];
    return written.toSpliced(leaving, 0, { status: 'rejected', reason });
  }
  if (jobs.length === 1 || mayBeCommitted(reason)) {
    return jobs.map(() => ({ status: 'rejected', reason }));
  }
  const results: PromiseSettledResult<WriteResult>[] = [];
  let unavailable = 0;
  for (const job of jobs) {
    if (unavailable < unavailableMax) {
      results.push(...(await runIfStillAllowed(deps, companyId, [job])));
      unavailable = isUnavailable(results.at(-1)) ? unavailable + 1 : 0;
    } else {
      results.push(...results.slice(-1));
    }
  }
  return results;
};

const isUnavailable = (result: PromiseSettledResult<WriteResult> | undefined): boolean =>
  result?.status === 'rejected' && asAppError(result.reason).code === 'service_unavailable';

type Batch =
  | { readonly results: PromiseSettledResult<WriteResult>[] }
  | { readonly reason: unknown };

/** The result of each job, or why none was written. */
const tryCommitBatch = async (
  deps: NoteWriterDeps,
  companyId: CompanyId,
  jobs: readonly QueuedWrite[],
): Promise<Batch> => {
  const submissions = jobs.map(({ submission }) => submission);
  // The budget is shared by all companies, so the batch may wait for it.
  const reserveBytes: ReserveBytes = (bytes, work) =>
    deps.reserveBytes(bytes, async () => {
      await Promise.all(jobs.map(confirmAllowed));
      return work();
    });
  const writing = await Promise.allSettled([
    writeBatch({ ...deps, reserveBytes }, companyId, submissions),
  ]);
  const [written] = writing;
  if (written.status === 'rejected') {
    return written;
  }
  // Everything is committed from here on: a failure below must not write it again.
  recordCommit(deps, companyId, written.value);
  const { outcomes: ofJobs, feed } = written.value;
  return {
    results: ofJobs.map((outcomes) =>
      outcomes instanceof Error
        ? { status: 'rejected', reason: outcomes }
        : { status: 'fulfilled', value: { outcomes, feed } },
    ),
  };
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
