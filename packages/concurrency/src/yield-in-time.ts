import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Lets other requests run when it was called for some milliseconds without. */
export type YieldInTime = () => Promise<void>;

/** Creates the pauses of one piece of work, by time: pieces of equal length differ a hundredfold in what they cost. */
export const createYieldInTime = (afterMs: number): YieldInTime => {
  let since = performance.now();
  return async () => {
    if (performance.now() - since > afterMs) {
      await yieldToEventLoop();
      since = performance.now();
    }
  };
};
