import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError } from '@commonplace/client';
import { codeOf } from '../describe-error.ts';

const longestPauseMs = 5_000;

/** When to try again, and for how long. */
export type Insistence = {
  /** Whether another try may help, and do no harm. */
  readonly mayHelp: (error: unknown) => boolean;
  /** Ends the trying; the last error is thrown then. */
  readonly signal: AbortSignal;
  /** Hears of the first failure: one line for an outage, however long. */
  readonly onFailure: (error: unknown) => void;
};

/** Tries until the server has answered for good: how a heartbeat survives a restart of the gateway. */
export const insist = async <Result>(
  call: () => Promise<Result>,
  { mayHelp, signal, onFailure }: Insistence,
): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted || !mayHelp(error)) {
        throw error;
      }
      if (attempt === 1) {
        onFailure(error);
      }
      const pauseMs = Math.min(longestPauseMs, 250 * 2 ** attempt) * (0.5 + Math.random() / 2);
      await sleep(pauseMs, undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
};

/** The server was away or busy, or nobody answered: the same request may do better later. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof ProblemError) ||
  error.status >= 500 ||
  error.status === 408 ||
  error.status === 429;

/**
 * The request had no effect and never will. A start that broke off in the middle may have begun a
 * run, so it is not repeated: that run would hold its reservation until it expires.
 */
export const hadNoEffect = (error: unknown): boolean =>
  error instanceof ProblemError
    ? error.status === 503 || error.status === 429
    : error instanceof Error && notConnected.has(codeOf(error.cause) ?? '');

const notConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
