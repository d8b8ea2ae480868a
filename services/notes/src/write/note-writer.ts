import {
  createBatchQueue,
  entriesThatPass,
  type BatchSize,
  type SettleEntry,
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
 * The only write path of notes: it serves every change of a note (`Change` in `change.ts`), of requests as of
 * background jobs. Nothing else writes `notes.notes`.
 */
export const createNoteWriter = (deps: NoteWriterDeps): WriteNotes => {
  const submit = createBatchQueue<CompanyId, QueuedWrite, WriteResult>({
    run: (companyId, writes, settle) =>
      inBatchSpan(writes, () => runIfStillAllowed({ ...deps, settle }, companyId, writes)),
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
      const entry = { changes, bytes, checkedAtMs: performance.now(), span: activeSpan() };
      const write = (each: WriteRequest) => submit(companyId, { ...entry, request: each });
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
    /** The span of the request. */
    readonly span: Span;
  };

type Batching = NoteWriterDeps & { readonly settle: SettleEntry<QueuedWrite, WriteResult> };

/** Commits the writes whose callers may still write; the others fail individually. */
const runIfStillAllowed = async (
  batching: Batching,
  companyId: CompanyId,
  writes: readonly QueuedWrite[],
): Promise<void> => {
  const allowed = writes.every(isRecentlyChecked)
    ? writes
    : await entriesThatPass(writes, confirmAllowed, batching.settle);
  if (allowed.length > 0) {
    await commitBatch(batching, companyId, allowed);
  }
};

const isCostly = (reason: unknown, { request }: QueuedWrite): boolean =>
  reason instanceof CostlyWorkError && reason.request === request;

/**
 * Commits all writes in one transaction. If that fails, commits them one by one, so that only the write that cannot
 * be stored fails; hundreds of them may take longer than a check of their callers holds. Does not retry when
 * COMMIT may have happened: writing twice would be worse than an error. One that needs the thread leaves the others.
 */
const commitBatch = async (
  batching: Batching,
  companyId: CompanyId,
  writes: readonly QueuedWrite[],
): Promise<void> => {
  const { settle } = batching;
  const failed = await tryCommitBatch(batching, companyId, writes);
  if (failed === null) {
    return;
  }
  const leaving = writes.find((queued) => isCostly(failed.reason, queued));
  if (leaving) {
    settle(leaving, failed);
    await runIfStillAllowed(
      batching,
      companyId,
      writes.filter((queued) => queued !== leaving),
    );
  } else if (writes.length === 1 || mayBeCommitted(failed.reason)) {
    writes.forEach((queued) => settle(queued, failed));
  } else {
    await commitOneByOne(batching, companyId, writes);
  }
};

/** After this many consecutive failures to reach the database, the rest of the batch fails without an attempt. */
const unavailableMax = 2;

const commitOneByOne = async (
  batching: Batching,
  companyId: CompanyId,
  writes: readonly QueuedWrite[],
): Promise<void> => {
  let failures: PromiseRejectedResult[] = [];
  const settle: Batching['settle'] = (queued, result) => {
    failures = isUnavailable(result) ? [...failures, result] : [];
    batching.settle(queued, result);
  };
  for (const queued of writes) {
    const [failure] = failures.slice(unavailableMax - 1);
    if (failure) {
      batching.settle(queued, failure);
    } else {
      await runIfStillAllowed({ ...batching, settle }, companyId, [queued]);
    }
  }
};

const isUnavailable = (
  result: PromiseSettledResult<WriteResult>,
): result is PromiseRejectedResult =>
  result.status === 'rejected' && asAppError(result.reason).code === 'service_unavailable';

/** Commits writes in one transaction, and settles all of them; otherwise returns why none was committed. */
const tryCommitBatch = async (
  batching: Batching,
  companyId: CompanyId,
  writes: readonly QueuedWrite[],
): Promise<PromiseRejectedResult | null> => {
  const requests = writes.map(({ request }) => request);
  // The budget is shared by all companies, so the batch may wait for it.
  const reserveBytes: ReserveBytes = (bytes, work) =>
    batching.reserveBytes(bytes, async () => {
      await Promise.all(writes.map(confirmAllowed));
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
  const { outcomes: ofWrites, feed } = written.value;
  writes.forEach((queued, index) => {
    const outcomes = ofWrites[index] ?? new Error('A request was written without outcomes');
    batching.settle(
      queued,
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
