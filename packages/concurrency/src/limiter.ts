/** Runs a task as soon as the limit allows it. */
export type Limiter = <Result>(task: () => Promise<Result>) => Promise<Result>;

export type LimiterOptions = {
  /** The tasks that run at once. */
  readonly runningMax: number;
  /** The tasks that may wait in the queue; any number by default. */
  readonly waitingMax?: number;
  /** How long a task may wait in the queue; without limit by default. */
  readonly waitMaxMs?: number;
  /** The error for a task that finds the queue full or waits too long. */
  readonly rejection: () => Error;
};

/** Creates a concurrency limiter with a queue in arrival order. */
export const createLimiter = ({
  runningMax,
  waitingMax = Infinity,
  waitMaxMs,
  rejection,
}: LimiterOptions): Limiter => {
  const queue = new Set<() => void>();
  let running = 0;

  const waitInQueue = (): Promise<void> =>
    new Promise((resolve, reject) => {
      if (queue.size >= waitingMax) {
        reject(rejection());
        return;
      }
      const giveUp = () => {
        queue.delete(admit);
        reject(rejection());
      };
      const timer = waitMaxMs === undefined ? undefined : setTimeout(giveUp, waitMaxMs);
      const admit = () => {
        clearTimeout(timer);
        resolve();
      };
      queue.add(admit);
    });

  /** Passes the slot of a finished task to the first in the queue. */
  const release = (): void => {
    const [first] = queue;
    if (first) {
      queue.delete(first);
      first();
    } else {
      running -= 1;
    }
  };

  return async (task) => {
    if (running < runningMax) {
      running += 1;
    } else {
      await waitInQueue();
    }
    try {
      return await task();
    } finally {
      release();
    }
  };
};
