/** Runs what it is given, or answers null when too much is waiting already. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result> | null;

/** Makes a semaphore: `runningMax` at once, `waitingMax` in line, in the order they came. */
export const createSemaphore = (runningMax: number, waitingMax: number): Semaphore => {
  let running = 0;
  const waiting: (() => void)[] = [];

  const enter = (): Promise<void> | undefined => {
    if (running < runningMax) {
      running += 1;
      return undefined;
    }
    return new Promise((resolve) => waiting.push(resolve));
  };

  // Who leaves hands its place to the next in line, so that nobody can slip in between.
  const leave = (): void => {
    const next = waiting.shift();
    if (next) {
      next();
    } else {
      running -= 1;
    }
  };

  const runInside = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };

  return (work) => (running >= runningMax && waiting.length >= waitingMax ? null : runInside(work));
};
