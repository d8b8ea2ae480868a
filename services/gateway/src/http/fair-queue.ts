import { performance } from 'node:perf_hooks';

/** Runs a task at once if this iteration of the event loop has time left, otherwise in a later one, in order. */
export type RunFairly = (task: () => void) => void;

/**
 * libuv accepts one connection per iteration. This many iterations without a task follow one that used up its time, so that
 * a burst of tasks does not delay the connections in the kernel's queue.
 */
const freeIterations = 8;

/**
 * Creates a queue that bounds the time which one iteration of the event loop spends on bursts of tasks, so that it
 * accepts connections and handles other requests in between. Work that a task defers to `process.nextTick`
 * counts too, because responses defer their writes.
 */
export const createFairQueue = (
  iterationMaxMs: number,
  nowMs: () => number = () => performance.now(),
): RunFairly => {
  const queue: (() => void)[] = [];
  /** When the last iteration with tasks began; null if it left time. */
  let startedAtMs: number | null = null;
  let freeIterationsLeft = 0;

  const hasTime = (): boolean => startedAtMs !== null && nowMs() - startedAtMs < iterationMaxMs;
  const start = (): void => {
    startedAtMs = nowMs();
    freeIterationsLeft = freeIterations;
  };
  const runNext = (): void => {
    const task = queue.shift();
    if (task) {
      task();
      // Runs after the work that the task deferred.
      process.nextTick(() => hasTime() && runNext());
    }
  };
  const startIteration = (): void => {
    if (queue.length === 0 && (freeIterationsLeft === 0 || hasTime())) {
      startedAtMs = null;
      return;
    }
    setImmediate(startIteration);
    if (freeIterationsLeft === 0) {
      start();
      runNext();
    } else {
      freeIterationsLeft -= 1;
    }
  };

  return (task) => {
    if (startedAtMs === null) {
      start();
      setImmediate(startIteration);
    }
    if (queue.length === 0 && hasTime()) {
      task();
    } else {
      queue.push(task);
    }
  };
};
