/** Runs a task when there is room for it. */
export type Limiter = <Result>(task: () => Promise<Result>) => Promise<Result>;

export type LimiterOptions = {
  /** Tasks that run at once. */
  readonly runningMax: number;
  /** How long a task may wait for its turn. */
  readonly waitMaxMs: number;
  /** What it is refused with after that. */
  readonly rejection: () => Error;
};

/** Bounds how many tasks run at once; the others wait in line, but not for ever. */
export const createLimiter = ({ runningMax, waitMaxMs, rejection }: LimiterOptions): Limiter => {
  const line = new Set<() => void>();
  let running = 0;

  const waitInLine = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        line.delete(callIn);
        reject(rejection());
      }, waitMaxMs);
      const callIn = () => {
        clearTimeout(timer);
        resolve();
      };
      line.add(callIn);
    });

  /** The place of a finished task goes to the first in line. */
  const leave = (): void => {
    const [first] = line;
    if (first) {
      line.delete(first);
      first();
    } else {
      running -= 1;
    }
  };

  return async (task) => {
    if (running < runningMax) {
      running += 1;
    } else {
      await waitInLine();
    }
    try {
      return await task();
    } finally {
      leave();
    }
  };
};
