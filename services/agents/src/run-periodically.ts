import type { Logger } from '@commonplace/http';

/**
 * Does something again and again, `everyMs` after the last time ended, until the returned function is
 * called; that one waits for the work in hand. A failure is logged and changes nothing of the rhythm.
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
      log.warn({ err: error }, 'background work failed; it will be tried again');
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
