/** Runs the work, or returns null if the queue is full. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result> | null;

/** Creates a semaphore that runs `runningMax` at once and queues `waitingMax` in arrival order. */
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

  // Passes the slot on to the next in the queue, so that nothing can overtake it.
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
