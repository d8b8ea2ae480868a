import { afterReading } from '@commonplace/http/core';

/** Far above what a look-up takes; what one process has not said by then, another may. */
const hedgeDelayMs = 250;

/**
 * Asks, asks a second time when the first question fails or stays open for 250 ms, and takes whichever
 * answer comes first. The first question goes on beside the second: on a busy machine it is the one
 * that has got furthest. Rejects with the last failure when both fail.
 * (A hedged request: Dean and Barroso, "The Tail at Scale", CACM 56(2), 2013.)
 */
export const hedgedRequest = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
  const overdue = Promise.withResolvers<void>();
  const first = ask();
  first.catch(() => overdue.resolve());
  const callOff = afterReading(hedgeDelayMs, overdue.resolve);
  const second = overdue.promise.then(ask);
  try {
    return await Promise.any([first, second]);
  } catch (failures) {
    throw (failures as AggregateError).errors.at(-1);
  } finally {
    callOff();
  }
};
