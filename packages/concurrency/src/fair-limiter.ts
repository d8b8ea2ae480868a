/** Runs a task as soon as the limit allows it, and no key (an account, an address) keeps others waiting. */
export type FairLimiter = <Result>(
  keys: readonly string[],
  task: () => Promise<Result>,
) => Promise<Result>;

export type FairLimiterOptions = {
  /** The tasks that run at once. */
  readonly runningMax: number;
  /** The tasks that may wait; each arrival compares itself with all of them, so few. */
  readonly waitingMax: number;
  /** The error for a task that has no place in the queue, or loses it. */
  readonly rejection: () => Error;
};

type Waiter = {
  readonly keys: readonly string[];
  readonly admit: () => void;
  readonly reject: () => void;
};

/**
 * Creates a concurrency limiter with a queue that is fair by keys. The rank of a task is the number of tasks before
 * it, running or waiting, that share one of its keys, whichever key has most. The lowest rank runs next; in a full queue the
 * highest one loses its place, be it the arrival or one that waits. So a flood under one key waits for itself.
 */
export const createFairLimiter = ({
  runningMax,
  waitingMax,
  rejection,
}: FairLimiterOptions): FairLimiter => {
  const runningByKey = new Map<string, number>();
  let running = 0;
  let queue: Waiter[] = [];

  const count = (keys: readonly string[], change: 1 | -1): void => {
    running += change;
    keys.forEach((key) => countKey(runningByKey, key, change));
  };

  const waitInQueue = (keys: readonly string[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const waiter = { keys, admit: resolve, reject: () => reject(rejection()) };
      queue.push(waiter);
      if (queue.length > waitingMax) {
        remove(lastOfHighestRank(queue, runningByKey)).reject();
      }
    });

  const remove = (waiter: Waiter): Waiter => {
    queue = queue.filter((each) => each !== waiter);
    return waiter;
  };

  const release = (keys: readonly string[]): void => {
    count(keys, -1);
    if (queue.length > 0) {
      const next = remove(firstOfLowestRank(queue, runningByKey));
      count(next.keys, 1);
      next.admit();
    }
  };

  return async (keys, task) => {
    const distinct = [...new Set(keys)];
    if (running < runningMax) {
      count(distinct, 1);
    } else {
      await waitInQueue(distinct);
    }
    try {
      return await task();
    } finally {
      release(distinct);
    }
  };
};

/** Counts a task that starts or ends under a key. Idle keys take no memory. */
const countKey = (counts: Map<string, number>, key: string, change: 1 | -1): void => {
  const left = (counts.get(key) ?? 0) + change;
  if (left === 0) {
    counts.delete(key);
  } else {
    counts.set(key, left);
  }
};

type Counts = ReadonlyMap<string, number>;

/** The rank of each waiting task, in the order of arrival. */
const ranksOf = (queue: readonly Waiter[], running: Counts): number[] => {
  const before = new Map(running);
  return queue.map(({ keys }) => {
    const rank = Math.max(0, ...keys.map((key) => before.get(key) ?? 0));
    for (const key of keys) {
      before.set(key, (before.get(key) ?? 0) + 1);
    }
    return rank;
  });
};

const firstOfLowestRank = (queue: readonly Waiter[], running: Counts): Waiter => {
  const ranks = ranksOf(queue, running);
  return queue[ranks.indexOf(Math.min(...ranks))] as Waiter;
};

const lastOfHighestRank = (queue: readonly Waiter[], running: Counts): Waiter => {
  const ranks = ranksOf(queue, running);
  return queue[ranks.lastIndexOf(Math.max(...ranks))] as Waiter;
};
