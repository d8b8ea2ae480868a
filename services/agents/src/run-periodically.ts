import type { Logger } from '@commonplace/http';

/**
 * Runs `work` repeatedly, `everyMs` after the previous run ended. Failures are logged and do not
 * change the interval. Returns a function that stops it and waits for the current run.
 */
export const runPeriodically = (
  everyMs: number,
  log: Logger,
  work: () => Promise<unknown>,
): (() => Promise<void>) => {
  let isStopped = false;
  let current: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const plan = () => {
    if (!isStopped) {
      timer = setTimeout(() => {
        current = once();
      }, everyMs);
    }
  };
  const once = async () => {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error }, 'background work failed; a retry follows');
    }
    plan();
  };
  plan();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await current;
  };
};
