import type { ApiClient, Schema } from '@commonplace/client';
import type { Environment } from '@commonplace/config';
import { codeOf, describeError } from '../describe-error.ts';
import type { HeartbeatOptions } from './parse-options.ts';
import { hasNoEffect, isTransient, retryUntilDone } from '../retry-until-done.ts';
import type { StopSignals } from './stop-signals.ts';

/** The dependencies that all beats of this process share. */
export type BeatContext = {
  /** Calls the API with the agent's key. */
  readonly api: ApiClient;
  readonly baseUrl: string;
  /** The variables of this process; the command gets only a few of them. */
  readonly environment: Environment;
  readonly signals: StopSignals;
  /** Writes one line to standard error. It never contains a credential. */
  readonly log: (line: string) => void;
};

/** How long a beat waits for an unavailable server before it fails. */
const startTimeoutMs = 60_000;

/** A run that has started. */
export type StartedRun = Schema<'StartedRun'> & {
  /** The server's time, computed from the start of the run: the local clock may be wrong. */
  readonly serverNowMs: () => number;
};

/** Starts a run with the agent's key. Throws a ProblemError when the server refuses it. */
export const startRun = async (
  { agentId, everyMs, reserveCents, ttlSeconds, scopes, grants }: HeartbeatOptions,
  { api, signals, log }: Pick<BeatContext, 'api' | 'signals' | 'log'>,
): Promise<StartedRun> => {
  let sentAtMs = 0;
  const { data } = await retryUntilDone(
    () => {
      sentAtMs = performance.now();
      return api.post('/api/agents/{agentId}/runs', {
        params: { path: { agentId } },
        body: {
          trigger: everyMs === undefined ? 'manual' : 'schedule',
          ...(reserveCents === undefined ? {} : { reserveCents }),
          ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
          ...(scopes === undefined ? {} : { scopes: [...scopes] }),
          ...(grants === undefined ? {} : { grants: [...grants] }),
        },
      });
    },
    {
      isRetryable: hasNoEffect,
      // The signal does not abort a request in progress: it may have started a run that nobody would finish.
      signal: AbortSignal.any([signals.stop, AbortSignal.timeout(startTimeoutMs)]),
      onFailure: (error) => log(`run not started yet: ${describeError(error)}; retrying`),
    },
  );
  log(`run ${data.run.id} started`);
  // From when the request was sent: the response may be slow, and no renewal may come too late.
  const offsetMs = Date.parse(data.run.startedAt) - sentAtMs;
  return { ...data, serverNowMs: () => performance.now() + offsetMs };
};

/** How long the report of the end may take, with all attempts. An unfinished run expires by itself. */
const finishTimeoutMs = 60_000;

/** How a run ended, as reported to the server. */
export type RunOutcome = {
  readonly runId: string;
  readonly status: 'succeeded' | 'failed';
  /** When undefined, the server books the reservation. */
  readonly costCents: number | undefined;
  /** Why it failed, in one line of at most 500 characters. */
  readonly reason: string | undefined;
};

/** Reports the end of a run. The command has ended in any case, so a failure is only logged. */
export const finishRun = async (
  { runId, status, costCents, reason }: RunOutcome,
  { api, log }: Pick<BeatContext, 'api' | 'log'>,
): Promise<void> => {
  const signal = AbortSignal.timeout(finishTimeoutMs);
  try {
    const { data } = await retryUntilDone(
      () =>
        api.post('/api/runs/{runId}/finish', {
          params: { path: { runId } },
          signal,
          body: {
            status,
            ...(costCents === undefined ? {} : { costCents }),
            ...(reason === undefined ? {} : { reason }),
          },
        }),
      {
        isRetryable: isTransient,
        signal,
        onFailure: (error) =>
          log(`run ${runId} is not finished yet: ${describeError(error)}; retrying`),
      },
    );
    log(`run ${runId} ${data.status}, cost ${data.costCents} cents`);
  } catch (error) {
    const end = codeOf(error) === 'run_finished' ? await readEarlierEnd(api, runId, signal) : null;
    log(`run ${runId} ${end ?? `could not be finished: ${describeError(error)}`}`);
  }
};

/** How the server ended a run before its command did; null if that cannot be read. */
const readEarlierEnd = async (
  api: ApiClient,
  runId: string,
  signal: AbortSignal,
): Promise<string | null> => {
  try {
    const { data } = await api.get('/api/runs/{runId}', { params: { path: { runId } }, signal });
    const reason = data.reason === 'budget' ? 'a report exceeded the budget' : data.reason;
    return `had ended before its command: ${data.status}${reason === null ? '' : `, ${reason}`}`;
  } catch {
    return null;
  }
};
