import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient, Schema } from '@commonplace/client';
import { describeError } from '../describe-error.ts';
import { insist, isPassing } from './insist.ts';

/** Keeps the last renewals before the limit of 24 hours from following each other at once. */
const shortestWaitMs = 1_000;

/** The run to keep alive, and who hears of what becomes of it. */
export type KeepAliveOptions = {
  readonly api: ApiClient;
  readonly started: Schema<'StartedRun'>;
  /** Gets every new token. May fail, as with a full disk: the command then works on with the one before. */
  readonly onToken: (token: string) => Promise<void>;
  /** The run goes on no more: it was cancelled, its agent paused, its key revoked. */
  readonly onRefused: (error: unknown) => void;
  readonly say: (line: string) => void;
  /** Aborted when the command has ended. */
  readonly signal: AbortSignal;
};

/** Renews the token when two thirds of its life are over, until the command ends or the run does. */
export const keepRunAlive = async (options: KeepAliveOptions): Promise<void> => {
  const { api, started, signal } = options;
  const { id: runId, startedAt } = started.run;
  const serverNowMs = clockOf(startedAt);
  let { expiresAt } = started;
  try {
    for (;;) {
      await sleep(renewAfterMs(Date.parse(expiresAt) - serverNowMs()), undefined, { signal });
      const { data } = await insist(
        () => api.post('/api/runs/{runId}/renew', { params: { path: { runId } }, signal }),
        {
          mayHelp: isPassing,
          signal,
          onFailure: (error) =>
            options.say(`the token is not renewed yet: ${describeError(error)}; trying on`),
        },
      );
      expiresAt = data.expiresAt;
      await passOn(data.token, renewAfterMs(Date.parse(expiresAt) - serverNowMs()), options);
    }
  } catch (error) {
    if (!signal.aborted) {
      options.onRefused(error);
    }
  }
};

/** Tries until the token is passed on, or until it is time for the next one. */
const passOn = async (
  token: string,
  withinMs: number,
  { onToken, say, signal }: Pick<KeepAliveOptions, 'onToken' | 'say' | 'signal'>,
): Promise<void> => {
  try {
    await insist(() => onToken(token), {
      mayHelp: () => true,
      signal: AbortSignal.any([signal, AbortSignal.timeout(Math.round(withinMs))]),
      onFailure: (error) =>
        say(`the new token is not written yet: ${describeError(error)}; trying on`),
    });
  } catch {
    // Said already. The next token follows, and the run is as good as before.
  }
};

/** The server's clock as of its last answer, so that ours may be wrong. */
const clockOf = (startedAt: string): (() => number) => {
  const offsetMs = Date.parse(startedAt) - performance.now();
  return () => performance.now() + offsetMs;
};

const renewAfterMs = (lifetimeMs: number): number => Math.max(shortestWaitMs, (lifetimeMs * 2) / 3);
