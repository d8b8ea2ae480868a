import { createShortLivedMap } from './short-lived-map.ts';

/** The size of an entry or of a batch of entries. */
export type BatchSize = { readonly changes: number; readonly bytes: number };

export type BatchQueueOptions<Key extends string, Entry extends BatchSize, Result> = {
  /**
   * Runs entries of one key as one batch, and settles each of them as soon as its result is there: a result may hold
   * a large text, which should not wait for those of the others.
   */
  readonly run: (
    key: Key,
    entries: readonly Entry[],
    settle: SettleEntry<Entry, Result>,
  ) => Promise<void>;
  /** Size limit of one batch; a single larger entry forms its own batch. */
  readonly batchMax: BatchSize;
  /** Size limit of the queue of one key; beyond it entries fail with `rejection`. */
  readonly queueMax: BatchSize;
  readonly rejection: () => Error;
};

/** Gives an entry its result, once. */
export type SettleEntry<Entry, Result> = (
  entry: Entry,
  result: PromiseSettledResult<Result>,
) => void;

/** The entries that pass a check, in their order; the others are settled with its rejection. */
export const entriesThatPass = async <Entry, Result>(
  entries: readonly Entry[],
  check: (entry: Entry) => Promise<unknown>,
  settle: SettleEntry<Entry, Result>,
): Promise<Entry[]> => {
  const checks = await Promise.allSettled(entries.map(check));
  return entries.filter((entry, index) => {
    const result = checks[index];
    if (result?.status === 'rejected') {
      settle(entry, result);
    }
    return result?.status === 'fulfilled';
  });
};

type Waiting<Entry, Result> = {
  readonly entry: Entry;
  readonly settle: (result: PromiseSettledResult<Result>) => void;
};

/** The entries of a batch that have no result yet. */
type Unsettled<Entry, Result> = Map<Entry, Waiting<Entry, Result>['settle']>;

type Queue<Entry, Result> = { waiting: Waiting<Entry, Result>[]; load: BatchSize };

/**
 * One queue per key. One batch runs at a time; entries that arrive meanwhile join the next one. Concurrent
 * writes of a company so cost one transaction per batch, not one per request.
 */
export const createBatchQueue = <Key extends string, Entry extends BatchSize, Result>(
  options: BatchQueueOptions<Key, Entry, Result>,
) => {
  const queues = createShortLivedMap<Key, Queue<Entry, Result>>();

  const flush = async (key: Key, queue: Queue<Entry, Result>): Promise<void> => {
    while (queue.waiting.length > 0) {
      await settleAll(takeBatch(queue, options.batchMax), (entries, settle) =>
        options.run(key, entries, settle),
      );
    }
    queues.delete(key);
  };

  /** Resolves when the batch with the entry has run. Fails with `rejection` when the queue is full. */
  return (key: Key, entry: Entry): Promise<Result> =>
    new Promise((resolve, reject) => {
      const settle = (result: PromiseSettledResult<Result>) =>
        result.status === 'fulfilled' ? resolve(result.value) : reject(result.reason as Error);
      const running = queues.get(key);
      const queue = running ?? { waiting: [], load: { changes: 0, bytes: 0 } };
      if (!hasRoom(queue.load, entry, options.queueMax)) {
        throw options.rejection();
      }
      queue.waiting.push({ entry, settle });
      queue.load = sum(queue.load, entry);
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

const hasRoom = (load: BatchSize, entry: BatchSize, max: BatchSize): boolean =>
  load.changes === 0 || isWithin(sum(load, entry), max);

/** Removes the entries of the next batch from the queue: as many as fit, at least one. */
const takeBatch = <Entry extends BatchSize, Result>(
  queue: Queue<Entry, Result>,
  max: BatchSize,
): Unsettled<Entry, Result> => {
  let load: BatchSize = { changes: 0, bytes: 0 };
  let count = 0;
  for (const { entry } of queue.waiting) {
    if (count > 0 && !isWithin(sum(load, entry), max)) {
      break;
    }
    load = sum(load, entry);
    count += 1;
  }
  queue.load = { changes: queue.load.changes - load.changes, bytes: queue.load.bytes - load.bytes };
  return new Map(queue.waiting.splice(0, count).map(({ entry, settle }) => [entry, settle]));
};

/**
 * A batch that fails as a whole fails each of its entries that has no result yet; the queue continues. Nothing is kept
 * of a settled entry: its promise has the result, with the text.
 */
const settleAll = async <Entry, Result>(
  unsettled: Unsettled<Entry, Result>,
  run: (entries: readonly Entry[], settle: SettleEntry<Entry, Result>) => Promise<void>,
): Promise<void> => {
  const settle: SettleEntry<Entry, Result> = (entry, result) => {
    unsettled.get(entry)?.(result);
    unsettled.delete(entry);
  };
  const reason = await failureOf(run([...unsettled.keys()], settle));
  unsettled.forEach((fail) => fail({ status: 'rejected', reason }));
};

/** Why a batch failed; of one that did not, why an entry has no result. */
const failureOf = async (running: Promise<void>): Promise<unknown> => {
  const [result] = await Promise.allSettled([running]);
  return result.status === 'rejected'
    ? result.reason
    : new Error('The batch returned fewer results than it has entries');
};
