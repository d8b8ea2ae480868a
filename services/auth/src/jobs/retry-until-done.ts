import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@commonplace/http';

export type Task = {
  readonly name: string;
  /** True: done. False, or an error: try again. */
  readonly run: () => Promise<boolean>;
  readonly retryAfterMs: number;
};

/** Tries a task until it is done or the process stops. What fails is logged and tried again. */
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
      log.warn({ err: error, task: name }, 'a task failed and is tried again');
    }
    // The pause must not keep a process alive that has nothing else to do.
    await setTimeout(retryAfterMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
};
