import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@commonplace/http';

export type Task = {
  readonly name: string;
  /** True: done. False or an error: retry. */
  readonly run: () => Promise<boolean>;
  readonly retryAfterMs: number;
};

/** Runs a task until it is done or the process stops. Failures are logged and retried. */
export const retryUntilDone = async (
  { name, run, retryAfterMs }: Task,
  log: Logger,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    try {
      if (await run()) {
        return;
      }
    } catch (error) {
      log.warn({ err: error, task: name }, 'a task failed; a retry follows');
    }
    // The timer must not keep the process alive.
    await setTimeout(retryAfterMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
};
