import { performance } from 'node:perf_hooks';

/** Runs a task at once if this turn of the event loop has time left, otherwise in a later one, in order. */
export type RunFairly = (task: () => void) => void;

/**
 * Creates a queue that bounds the time which one turn of the event loop spends on bursts of tasks, so that it
 * accepts connections and handles other requests in between. Work that a task defers to `process.nextTick`
 * counts too, because responses defer their writes.
 */
export const createFairQueue = (
  turnMaxMs: number,
  nowMs: () => number = () => performance.now(),
): RunFairly => {
  const queue: (() => void)[] = [];
  /** Null when no task ran in this turn. */
  let startedAtMs: number | null = null;

  const hasTime = (): boolean => startedAtMs !== null && nowMs() - startedAtMs < turnMaxMs;
  const runNext = (): void => {
    const task = queue.shift();
    if (task) {
      task();
      // Runs after the work that the task deferred.
      process.nextTick(() => hasTime() && runNext());
    }
  };
  const startTurn = (): void => {
    if (queue.length === 0) {
      startedAtMs = null;
      return;
    }
    startedAtMs = nowMs();
    setImmediate(startTurn);
    runNext();
  };

  return (task) => {
    if (startedAtMs === null) {
      startedAtMs = nowMs();
      setImmediate(startTurn);
    }
    if (queue.length === 0 && hasTime()) {
      task();
    } else {
      queue.push(task);
    }
  };
};
