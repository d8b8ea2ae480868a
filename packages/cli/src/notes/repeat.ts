import { describeError } from '../describe-error.ts';
import { isPage, isTransient, retryUntilDone } from '../retry-until-done.ts';
import { printNotice } from '../print.ts';

const timeoutMs = 30_000;

/**
 * Repeats a request for half a minute while the server is unavailable. The request must be safe to repeat: it has
 * an `Idempotency-Key`, a `mutationId` or an `If-Match`.
 */
export const repeat = <Result>(request: () => Promise<Result>): Promise<Result> =>
  retryUntilDone(request, {
    isRetryable: (error) => isTransient(error) && !isPage(error),
    signal: AbortSignal.timeout(timeoutMs),
    onFailure: (error) => printNotice(`${describeError(error)}; retrying`),
  });
