import { afterReading } from '@commonplace/http/core';

/** Far more than a lookup takes. When one process has not responded by then, another may. */
const hedgeDelayMs = 250;

/**
 * Sends a request, sends it again when it fails or has no response after 250 ms, and returns the first
 * response. The first request is not aborted: on a busy machine it has the most progress. Rejects with the
 * last error when both fail.
 * (A hedged request: Dean and Barroso, "The Tail at Scale", CACM 56(2), 2013.)
 */
export const hedgedRequest = async <Result>(send: () => Promise<Result>): Promise<Result> => {
  const overdue = Promise.withResolvers<void>();
  const first = send();
  first.catch(() => overdue.resolve());
  const cancel = afterReading(hedgeDelayMs, overdue.resolve);
  const second = overdue.promise.then(send);
  try {
    return await Promise.any([first, second]);
  } catch (failures) {
    throw (failures as AggregateError).errors.at(-1);
  } finally {
    cancel();
  }
};
