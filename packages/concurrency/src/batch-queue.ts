import { createShortLivedMap } from './short-lived-map.ts';

/** The size of a job or of a batch of jobs. */
export type BatchSize = { readonly changes: number; readonly bytes: number };

export type BatchQueueOptions<Key extends string, Job extends BatchSize, Result> = {
  /**
   * Runs jobs of one key as one batch, and settles each of them as soon as its result is there: a result may hold
   * a large text, which should not wait for those of the others.
   */
  readonly run: (key: Key, jobs: readonly Job[], settle: SettleJob<Job, Result>) => Promise<void>;
  /** Size limit of one batch; a single larger job forms its own batch. */
  readonly batchMax: BatchSize;
  /** Size limit of the queue of one key; beyond it jobs fail with `rejection`. */
  readonly queueMax: BatchSize;
  readonly rejection: () => Error;
};

/** Gives a job its result, once. */
export type SettleJob<Job, Result> = (job: Job, result: PromiseSettledResult<Result>) => void;

/** The jobs that pass a check, in their order; the others are settled with its rejection. */
export const jobsThatPass = async <Job, Result>(
  jobs: readonly Job[],
  check: (job: Job) => Promise<unknown>,
  settle: SettleJob<Job, Result>,
): Promise<Job[]> => {
  const checks = await Promise.allSettled(jobs.map(check));
  return jobs.filter((job, index) => {
    const result = checks[index];
    if (result?.status === 'rejected') {
      settle(job, result);
    }
    return result?.status === 'fulfilled';
  });
};

type Waiting<Job, Result> = {
  readonly job: Job;
  readonly settle: (result: PromiseSettledResult<Result>) => void;
};

/** The jobs of a batch that have no result yet. */
type Unsettled<Job, Result> = Map<Job, Waiting<Job, Result>['settle']>;

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
      await settleAll(takeBatch(queue, options.batchMax), (jobs, settle) =>
        options.run(key, jobs, settle),
      );
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
const takeBatch = <Job extends BatchSize, Result>(
  queue: Queue<Job, Result>,
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
