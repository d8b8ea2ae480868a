/** Runs a task as soon as the limit allows it, and no key (an account, an address) keeps others waiting. */
export type FairLimiter = <Result>(
  keys: readonly string[],
  task: () => Promise<Result>,
) => Promise<Result>;

export type FairLimiterOptions = {
  /** The tasks that run at once. */
  readonly runningMax: number;
  /** The tasks that may wait; each that starts is searched among them, so hundreds at most. */
  readonly waitingMax: number;
  /** The error for a task that has no place in the queue, or loses it. */
  readonly rejection: () => Error;
};

type Waiter = {
  readonly keys: readonly string[];
  readonly rank: number;
  readonly admit: () => void;
  readonly reject: () => void;
};

/**
 * Creates a concurrency limiter with a queue that is fair by keys (start-time fair queueing). A task ranks behind the
 * tasks before it that share one of its keys, whichever key has most, and never before one that has started. The lowest
 * rank runs next; in a full queue the highest one loses its place, be it the arrival or one that waits. So a flood under one key
 * waits for itself, and nobody waits for ever.
 */
export const createFairLimiter = ({
  runningMax,
  waitingMax,
  rejection,
}: FairLimiterOptions): FairLimiter => {
  const ranks = createRanks();
  let running = 0;
  let queue: Waiter[] = [];

  const remove = (waiter: Waiter): Waiter => {
    queue = queue.filter((each) => each !== waiter);
    return waiter;
  };

  const waitInQueue = (keys: readonly string[], rank: number): Promise<void> =>
    new Promise((resolve, reject) => {
      queue.push({ keys, rank, admit: resolve, reject: () => reject(rejection()) });
      if (queue.length > waitingMax) {
        const last = remove(lastOfHighestRank(queue));
        ranks.giveBack(last);
        last.reject();
      }
    });

  /** Passes the slot of a finished task to the next in the queue. */
  const release = (keys: readonly string[]): void => {
    ranks.end(keys);
    if (queue.length === 0) {
      running -= 1;
      return;
    }
    const next = remove(firstOfLowestRank(queue));
    ranks.start(next.rank);
    next.admit();
  };

  return async (named, task) => {
    const keys = [...new Set(named)];
    const rank = ranks.take(keys);
    if (running < runningMax) {
      running += 1;
      ranks.start(rank);
    } else {
      await waitInQueue(keys, rank);
    }
    try {
      return await task();
    } finally {
      release(keys);
    }
  };
};

/** What waits or runs under a key, and the rank of its next task. */
type Share = { next: number; tasks: number };

/** Gives tasks their ranks. Keys without a task take no memory. */
const createRanks = () => {
  const shares = new Map<string, Share>();
  let started = 0;
  const end = (keys: readonly string[]): void => {
    for (const key of keys) {
      const share = shares.get(key);
      if (share?.tasks === 1) {
        shares.delete(key);
      } else if (share) {
        share.tasks -= 1;
      }
    }
  };
  return {
    take: (keys: readonly string[]): number => {
      const rank = Math.max(started, ...keys.map((key) => shares.get(key)?.next ?? 0));
      for (const key of keys) {
        shares.set(key, { next: rank + 1, tasks: (shares.get(key)?.tasks ?? 0) + 1 });
      }
      return rank;
    },
    start: (rank: number): void => {
      started = Math.max(started, rank);
    },
    end,
    /** For a task that never ran: it does not count for those after it. */
    giveBack: ({ keys, rank }: Pick<Waiter, 'keys' | 'rank'>): void => {
      for (const key of keys) {
        const share = shares.get(key);
        if (share) {
          share.next = rank;
        }
      }
      end(keys);
    },
  };
};

const firstOfLowestRank = (queue: readonly Waiter[]): Waiter =>
  queue.reduce((first, each) => (each.rank < first.rank ? each : first));

const lastOfHighestRank = (queue: readonly Waiter[]): Waiter =>
  queue.reduce((last, each) => (each.rank >= last.rank ? each : last));
