import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError } from '@commonplace/client';
import { backOffMs } from './back-off.ts';
import { codeOf } from './describe-error.ts';

const delays = { firstMs: 500, maxMs: 5_000 };

/** Which errors to retry, and for how long. */
export type RetryOptions = {
  /** Whether another attempt may succeed and is safe. */
  readonly isRetryable: (error: unknown) => boolean;
  /** Ends the retries: the last error is thrown. */
  readonly signal: AbortSignal;
  /** Receives the first error only, so that an outage causes one log line. */
  readonly onFailure: (error: unknown) => void;
};

/** Retries a call with back-off, so that a heartbeat survives a restart of the gateway. */
export const retryUntilDone = async <Result>(
  call: () => Promise<Result>,
  { isRetryable, signal, onFailure }: RetryOptions,
): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted || !isRetryable(error)) {
        throw error;
      }
      if (attempt === 1) {
        onFailure(error);
      }
      await sleep(backOffMs(attempt, delays), undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
};

/**
 * No response, the page of a portal in its place, or a server that is unavailable or busy: the same request may succeed
 * later.
 */
export const isTransient = (error: unknown): boolean =>
  !(error instanceof ProblemError) ||
  isPage(error) ||
  error.status >= 500 ||
  error.status === 408 ||
  error.status === 429;

/** A success that is not from the API. What outlasts outages waits for its end; a person has mistyped the address. */
export const isPage = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === 'unexpected_answer' && error.status < 300;

/**
 * Whether the request certainly had no effect. An interrupted start may have started a run, so it is not
 * retried: that run would keep its reservation until it expires.
 */
export const hasNoEffect = (error: unknown): boolean =>
  error instanceof ProblemError
    ? error.status === 503 || error.status === 429
    : error instanceof Error && connectionErrorCodes.has(codeOf(error.cause) ?? '');

const connectionErrorCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
