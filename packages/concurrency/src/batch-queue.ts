import { createShortLivedMap } from './short-lived-map.ts';

/** The size of a job or of a batch of jobs. */
export type BatchSize = { readonly changes: number; readonly bytes: number };

export type BatchQueueOptions<Key extends string, Job extends BatchSize, Result> = {
  /** Runs jobs of one key as one batch; returns one result per job, in order. */
  readonly run: (key: Key, jobs: readonly Job[]) => Promise<PromiseSettledResult<Result>[]>;
  /** Size limit of one batch; a single larger job forms its own batch. */
  readonly batchMax: BatchSize;
  /** Size limit of the queue of one key; beyond it jobs fail with `rejection`. */
  readonly queueMax: BatchSize;
  readonly rejection: () => Error;
};

type Waiting<Job, Result> = {
  readonly job: Job;
  readonly settle: (result: PromiseSettledResult<Result>) => void;
};

type Queue<Job, Result> = { waiting: Waiting<Job, Result>[]; load: BatchSize };

/**
 * One queue per key. One batch runs at a time; jobs that arrive meanwhile join the next one. Concurrent
 * writes of a company so cost one transaction per batch, not one per request.
 */
export const createBatchQueue = <Key extends string, Job extends BatchSize, Result>(
  options: BatchQueueOptions<Key, Job, Result>,
) => {
  const queues = createShortLivedMap<Key, Queue<Job, Result>>();

  const flush = async (key: Key, queue: Queue<Job, Result>): Promise<void> => {
    while (queue.waiting.length > 0) {
      const batch = takeBatch(queue, options.batchMax);
      const results = await settleAll(
        () =>
          options.run(
            key,
            batch.map(({ job }) => job),
          ),
        batch.length,
      );
      batch.forEach(({ settle }, index) => settle(results[index] ?? missingResult));
    }
    queues.delete(key);
  };

  /** Resolves when the batch with the job has run. Fails with `rejection` when the queue is full. */
  return (key: Key, job: Job): Promise<Result> =>
    new Promise((resolve, reject) => {
      const settle = (result: PromiseSettledResult<Result>) =>
        result.status === 'fulfilled' ? resolve(result.value) : reject(result.reason as Error);
      const running = queues.get(key);
      const queue = running ?? { waiting: [], load: { changes: 0, bytes: 0 } };
      if (!hasRoom(queue.load, job, options.queueMax)) {
        throw options.rejection();
      }
      queue.waiting.push({ job, settle });
      queue.load = sum(queue.load, job);
      if (!running) {
        queues.set(key, queue);
        void flush(key, queue);
      }
    });
};

const sum = (a: BatchSize, b: BatchSize): BatchSize => ({
  changes: a.changes + b.changes,
  bytes: a.bytes + b.bytes,
});

const isWithin = (load: BatchSize, max: BatchSize): boolean =>
  load.changes <= max.changes && load.bytes <= max.bytes;

const hasRoom = (load: BatchSize, job: BatchSize, max: BatchSize): boolean =>
  load.changes === 0 || isWithin(sum(load, job), max);

/** Removes the jobs of the next batch from the queue: as many as fit, at least one. */
const takeBatch = <Job extends BatchSize, Result>(queue: Queue<Job, Result>, max: BatchSize) => {
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
  return queue.waiting.splice(0, count);
};

const missingResult: PromiseSettledResult<never> = {
  status: 'rejected',
  reason: new Error('The batch returned fewer results than it has jobs'),
};

/** A batch that fails as a whole fails each of its jobs; the queue continues. */
const settleAll = async <Result>(
  run: () => Promise<PromiseSettledResult<Result>[]>,
  count: number,
): Promise<PromiseSettledResult<Result>[]> => {
  try {
    return await run();
  } catch (reason) {
    return Array.from({ length: count }, () => ({ status: 'rejected', reason }));
  }
};
