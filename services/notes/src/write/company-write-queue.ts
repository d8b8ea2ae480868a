import { AppError, type CompanyId } from '@commonplace/contracts/core';
import { createShortLivedMap } from '@commonplace/concurrency';

/** What waits in a lane says how much it is. */
export type BatchSize = { readonly changes: number; readonly bytes: number };

export type CompanyQueueOptions<Job extends BatchSize, Result> = {
  /** Does jobs of one company together; answers for each of them, in order. */
  readonly run: (
    companyId: CompanyId,
    jobs: readonly Job[],
  ) => Promise<PromiseSettledResult<Result>[]>;
  /** What one run takes together; a single job may be more. */
  readonly batchMax: BatchSize;
  /** What may wait for one company; beyond it callers are told to come again. */
  readonly queueMax: BatchSize;
};

type Waiting<Job, Result> = {
  readonly job: Job;
  readonly settle: (result: PromiseSettledResult<Result>) => void;
};

type CompanyQueue<Job, Result> = { waiting: Waiting<Job, Result>[]; load: BatchSize };

/**
 * One lane per company: one run at a time, and everything that arrives meanwhile joins the next. So a
 * company that is written to by many at once costs one transaction per round, not one per request.
 */
export const createCompanyWriteQueue = <Job extends BatchSize, Result>(
  options: CompanyQueueOptions<Job, Result>,
) => {
  const lanes = createShortLivedMap<CompanyId, CompanyQueue<Job, Result>>();

  const drain = async (companyId: CompanyId, lane: CompanyQueue<Job, Result>): Promise<void> => {
    while (lane.waiting.length > 0) {
      const batch = takeBatch(lane, options.batchMax);
      const results = await settleAll(
        () =>
          options.run(
            companyId,
            batch.map(({ job }) => job),
          ),
        batch.length,
      );
      batch.forEach(({ settle }, index) => settle(results[index] ?? lost));
    }
    lanes.delete(companyId);
  };

  /** Resolves when the job is done for good. */
  return (companyId: CompanyId, job: Job): Promise<Result> =>
    new Promise((resolve, reject) => {
      const settle = (result: PromiseSettledResult<Result>) =>
        result.status === 'fulfilled' ? resolve(result.value) : reject(result.reason as Error);
      const running = lanes.get(companyId);
      const lane = running ?? { waiting: [], load: { changes: 0, bytes: 0 } };
      assertRoom(lane.load, job, options.queueMax);
      lane.waiting.push({ job, settle });
      lane.load = sum(lane.load, job);
      if (!running) {
        lanes.set(companyId, lane);
        void drain(companyId, lane);
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

/** Takes as many jobs from the front as go into one run, and at least one. */
const takeBatch = <Job extends BatchSize, Result>(
  lane: CompanyQueue<Job, Result>,
  max: BatchSize,
) => {
  let load: BatchSize = { changes: 0, bytes: 0 };
  let count = 0;
  for (const { job } of lane.waiting) {
    if (count > 0 && !isWithin(sum(load, job), max)) {
      break;
    }
    load = sum(load, job);
    count += 1;
  }
  lane.load = { changes: lane.load.changes - load.changes, bytes: lane.load.bytes - load.bytes };
  return lane.waiting.splice(0, count);
};

const lost: PromiseSettledResult<never> = {
  status: 'rejected',
  reason: new Error('A run answered for fewer jobs than it was given'),
};

/** A run that fails as a whole fails each of its jobs; the lane itself goes on. */
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
