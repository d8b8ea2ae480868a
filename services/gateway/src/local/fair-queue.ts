import { performance } from 'node:perf_hooks';

/** Runs a task now if this turn of the event loop has time left, otherwise in one of the next, in order. */
export type RunFairly = (task: () => void) => void;

/**
 * Bounds how long one turn of the event loop spends on tasks that come in bursts, so that new connections and other
 * requests are served between them. What a task puts off until `process.nextTick`, as responses do with what they
 * write, counts as well.
 */
export const createFairQueue = (
  turnMaxMs: number,
  nowMs: () => number = () => performance.now(),
): RunFairly => {
  const waiting: (() => void)[] = [];
  /** Null: nothing was run in this turn. */
  let startedAtMs: number | null = null;

  const hasTime = (): boolean => startedAtMs !== null && nowMs() - startedAtMs < turnMaxMs;
  const runNext = (): void => {
    const task = waiting.shift();
    if (task) {
      task();
      // After what the task has put off.
      process.nextTick(() => hasTime() && runNext());
    }
  };
  const beginTurn = (): void => {
    if (waiting.length === 0) {
      startedAtMs = null;
      return;
    }
    startedAtMs = nowMs();
    setImmediate(beginTurn);
    runNext();
  };

  return (task) => {
    if (startedAtMs === null) {
      startedAtMs = nowMs();
      setImmediate(beginTurn);
    }
    if (waiting.length === 0 && hasTime()) {
      task();
    } else {
      waiting.push(task);
    }
  };
};
