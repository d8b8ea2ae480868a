import { AppError, type CompanyId } from '@commonplace/contracts/core';
import { createShortLivedMap } from '@commonplace/concurrency';

/** The size of a job or of a batch of jobs. */
export type BatchSize = { readonly changes: number; readonly bytes: number };

export type CompanyQueueOptions<Job extends BatchSize, Result> = {
  /**
   * Runs jobs of one company as one batch, and settles each of them as soon as its result is there: a result may hold
   * a large text, which should not wait for those of the others.
   */
  readonly run: (
    companyId: CompanyId,
    jobs: readonly Job[],
    settle: SettleJob<Job, Result>,
  ) => Promise<void>;
  /** Size limit of one batch; a single larger job forms its own batch. */
  readonly batchMax: BatchSize;
  /** Size limit of the queue of one company; beyond it jobs fail with `busy`. */
  readonly queueMax: BatchSize;
};

/** Gives a job its result, once. */
export type SettleJob<Job, Result> = (job: Job, result: PromiseSettledResult<Result>) => void;

type Waiting<Job, Result> = {
  readonly job: Job;
  readonly settle: (result: PromiseSettledResult<Result>) => void;
};

/** The jobs of a batch that have no result yet. */
type Unsettled<Job, Result> = Map<Job, Waiting<Job, Result>['settle']>;

type CompanyQueue<Job, Result> = { waiting: Waiting<Job, Result>[]; load: BatchSize };

/**
 * One queue per company. One batch runs at a time; jobs that arrive meanwhile join the next one. Concurrent
 * writes of a company so cost one transaction per batch, not one per request.
 */
export const createCompanyWriteQueue = <Job extends BatchSize, Result>(
  options: CompanyQueueOptions<Job, Result>,
) => {
  const queues = createShortLivedMap<CompanyId, CompanyQueue<Job, Result>>();

  const flush = async (companyId: CompanyId, queue: CompanyQueue<Job, Result>): Promise<void> => {
    while (queue.waiting.length > 0) {
      await settleAll(takeBatch(queue, options.batchMax), (jobs, settle) =>
        options.run(companyId, jobs, settle),
      );
    }
    queues.delete(companyId);
  };

  /** Resolves when the batch with the job is committed. Fails with `busy` when the queue is full. */
  return (companyId: CompanyId, job: Job): Promise<Result> =>
    new Promise((resolve, reject) => {
      const settle = (result: PromiseSettledResult<Result>) =>
        result.status === 'fulfilled' ? resolve(result.value) : reject(result.reason as Error);
      const running = queues.get(companyId);
      const queue = running ?? { waiting: [], load: { changes: 0, bytes: 0 } };
      assertRoom(queue.load, job, options.queueMax);
      queue.waiting.push({ job, settle });
      queue.load = sum(queue.load, job);
      if (!running) {
        queues.set(companyId, queue);
        void flush(companyId, queue);
      }
    });
};

const sum = (a: BatchSize, b: BatchSize): BatchSize => ({
  changes: a.changes + b.changes,
  bytes: a.bytes + b.bytes,
});

const isWithin = (load: BatchSize, max: BatchSize): boolean =>
  load.changes <= max.changes && load.bytes <= max.bytes;

const assertRoom = (load: BatchSize, job: BatchSize, max: BatchSize): void => {
  if (load.changes > 0 && !isWithin(sum(load, job), max)) {
    throw new AppError('busy', 'Too many changes of this company are waiting.', {
      headers: { 'Retry-After': '1' },
    });
  }
};

/** Removes the jobs of the next batch from the queue: as many as fit, at least one. */
const takeBatch = <Job extends BatchSize, Result>(
  queue: CompanyQueue<Job, Result>,
  max: BatchSize,
): Unsettled<Job, Result> => {
  let load: BatchSize = { changes: 0, bytes: 0 };
  let count = 0;
  for (const { job } of queue.waiting) {
    if (count > 0 && !isWithin(sum(load, job), max)) {
      break;
    }
    load = sum(load, job);
    count += 1;
  }
  queue.load = { changes: queue.load.changes - load.changes, bytes: queue.load.bytes - load.bytes };
  return new Map(queue.waiting.splice(0, count).map(({ job, settle }) => [job, settle]));
};

/**
 * A batch that fails as a whole fails each of its jobs that has no result yet; the queue continues. Of a settled job nothing
 * is kept: its promise has the result, with the text.
 */
const settleAll = async <Job, Result>(
  unsettled: Unsettled<Job, Result>,
  run: (jobs: readonly Job[], settle: SettleJob<Job, Result>) => Promise<void>,
): Promise<void> => {
  const settle: SettleJob<Job, Result> = (job, result) => {
    unsettled.get(job)?.(result);
    unsettled.delete(job);
  };
  const reason = await failureOf(run([...unsettled.keys()], settle));
  unsettled.forEach((fail) => fail({ status: 'rejected', reason }));
};

/** Why a batch failed; of one that did not, why a job has no result. */
const failureOf = async (running: Promise<void>): Promise<unknown> => {
  const [result] = await Promise.allSettled([running]);
  return result.status === 'rejected'
    ? result.reason
    : new Error('The batch returned fewer results than it has jobs');
};
