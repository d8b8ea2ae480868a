import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs the task at once and then at every tick, until the stop signal. Ticks that pass while the task is
 * running are skipped, so it never overlaps itself and has no backlog. Unlike `runPeriodically` of
 * packages/concurrency, the interval is from start to start.
 */
export const runEvery = async (
  intervalMs: number,
  task: () => Promise<unknown>,
  stop: AbortSignal,
): Promise<void> => {
  for (let dueAtMs = performance.now(); !stop.aborted;) {
    await task();
    const nowMs = performance.now();
    dueAtMs += Math.max(1, Math.ceil((nowMs - dueAtMs) / intervalMs)) * intervalMs;
    await sleep(dueAtMs - nowMs, undefined, { signal: stop }).catch(() => undefined);
  }
};
