import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient, Schema } from '@commonplace/client';
import { describeError } from '../describe-error.ts';
import { retryUntilDone, isTransient } from '../retry-until-done.ts';

/** Spaces the last renewals before the 24-hour limit, whose tokens live only briefly. */
const renewalDelayMinMs = 1_000;

/** The run to keep alive, and the callbacks for its events. */
export type KeepAliveOptions = {
  readonly api: ApiClient;
  readonly started: Schema<'StartedRun'>;
  /** Stores each new token. If it fails, as on a full disk, the command continues with the previous token. */
  readonly onToken: (token: string) => Promise<void>;
  /** Called when the run has ended: it was cancelled, its agent paused or its key revoked. */
  readonly onRunEnded: (error: unknown) => void;
  readonly log: (line: string) => void;
  /** Aborted when the command has ended. */
  readonly signal: AbortSignal;
};

/** Renews the token after two thirds of its lifetime, until the command or the run ends. */
export const keepRunAlive = async (options: KeepAliveOptions): Promise<void> => {
  const { api, started, signal } = options;
  const { id: runId, startedAt } = started.run;
  const serverNowMs = createServerClock(startedAt);
  let { expiresAt } = started;
  try {
    for (;;) {
      await sleep(renewalDelayMs(Date.parse(expiresAt) - serverNowMs()), undefined, { signal });
      const { data } = await retryUntilDone(
        () => api.post('/api/runs/{runId}/renew', { params: { path: { runId } }, signal }),
        {
          isRetryable: isTransient,
          signal,
          onFailure: (error) =>
            options.log(`token not renewed yet: ${describeError(error)}; retrying`),
        },
      );
      expiresAt = data.expiresAt;
      await deliverToken(
        data.token,
        renewalDelayMs(Date.parse(expiresAt) - serverNowMs()),
        options,
      );
    }
  } catch (error) {
    if (!signal.aborted) {
      options.onRunEnded(error);
    }
  }
};

/** Retries until the token is stored, or until the next one is due. */
const deliverToken = async (
  token: string,
  withinMs: number,
  { onToken, log, signal }: Pick<KeepAliveOptions, 'onToken' | 'log' | 'signal'>,
): Promise<void> => {
  try {
    await retryUntilDone(() => onToken(token), {
      isRetryable: () => true,
      signal: AbortSignal.any([signal, AbortSignal.timeout(Math.round(withinMs))]),
      onFailure: (error) => log(`new token not written yet: ${describeError(error)}; retrying`),
    });
  } catch {
    // Logged already. The run continues, and the next token follows.
  }
};

/** Returns the server's time, computed from the start of the run: the local clock may be wrong. */
const createServerClock = (startedAt: string): (() => number) => {
  const offsetMs = Date.parse(startedAt) - performance.now();
  return () => performance.now() + offsetMs;
};

const renewalDelayMs = (lifetimeMs: number): number =>
  Math.max(renewalDelayMinMs, (lifetimeMs * 2) / 3);
