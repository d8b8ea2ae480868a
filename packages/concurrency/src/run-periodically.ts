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

/** Runs a task until it is done or the signal aborts, and waits for the current run. Runs never overlap. */
export const runPeriodically = async (
  { run, pauseMs, initialPauseMs = 0, onError }: PeriodicTask,
  signal: AbortSignal,
): Promise<void> => {
  if (initialPauseMs > 0) {
    await pause(initialPauseMs, signal);
  }
  while (!signal.aborted) {
    try {
      if ((await run()) === true) {
        return;
      }
    } catch (error) {
      onError(error);
    }
    await pause(pauseMs, signal);
  }
};
