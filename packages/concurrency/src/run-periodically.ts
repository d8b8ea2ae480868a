import { pause } from './pause.ts';

export type PeriodicTask = {
  /** True: done, do not run again. */
  readonly run: () => Promise<unknown>;
  /** The pause after each run. */
  readonly pauseMs: number;
  /** The pause before the first run; none by default. */
  readonly initialPauseMs?: number;
  /** Called with the error of a failed run; the task runs again after the pause. */
  readonly onError: (error: unknown) => void;
};

/** How far failures in a row lengthen a pause: by this factor, and not beyond this time. */
const failedPauseMax = { factor: 8, ms: 30_000 };

/**
 * Runs a task until it is done or the signal aborts, and waits for the current run. Runs never overlap. The first
 * failure in a row does not change the pause; each further one doubles it.
 */
export const runPeriodically = async (
  { run, pauseMs, initialPauseMs = 0, onError }: PeriodicTask,
  signal: AbortSignal,
): Promise<void> => {
  if (initialPauseMs > 0) {
    await pause(initialPauseMs, signal);
  }
  let failures = 0;
  while (!signal.aborted) {
    try {
      if ((await run()) === true) {
        return;
      }
      failures = 0;
    } catch (error) {
      failures += 1;
      onError(error);
    }
    await pause(pauseAfter(failures, pauseMs), signal);
  }
};

/** The pause after this number of failures in a row. */
export const pauseAfter = (failures: number, pauseMs: number): number => {
  const factor = Math.min(2 ** Math.max(failures - 1, 0), failedPauseMax.factor);
  return Math.max(pauseMs, Math.min(pauseMs * factor, failedPauseMax.ms));
};
