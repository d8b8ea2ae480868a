import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, type ApiClient } from '@commonplace/client';
import type { ErrorCode } from '@commonplace/contracts';
import { describeError } from '../describe-error.ts';
import { retryUntilDone, isTransient } from '../retry-until-done.ts';
import type { StartedRun } from './run-lifecycle.ts';

/** Spaces the last renewals before the 24-hour limit, whose tokens live only briefly. */
const renewalDelayMinMs = 1_000;

/** The run is over, or its agent or company is. The key of a terminated agent is a 401. */
const endCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'run_finished',
  'agent_paused',
  'company_archived',
  'not_found',
]);

/**
 * How long a renewal is repeated that is refused with another code. A 401 may be of a key that was rotated and is not in
 * its file yet, or of one that was revoked: no code says which. Other refusals may be of a proxy.
 */
const refusalTimeoutMs = 60_000;

/** The run to keep alive, and where its tokens go. */
export type KeepAliveOptions = {
  readonly api: ApiClient;
  readonly started: StartedRun;
  /** Stores each new token. If it fails, as on a full disk, the command continues with the previous token. */
  readonly onToken: (token: string) => Promise<void>;
  readonly log: (line: string) => void;
};

/** A run whose token is renewed. */
export type KeptRun = {
  /** The newest token. */
  readonly token: () => string;
  /** Aborted when the run has ended: it was cancelled, its agent paused or its key revoked. */
  readonly ended: AbortSignal;
  /** Ends the renewals. */
  readonly stop: () => Promise<void>;
};

/** Renews the token after two thirds of its lifetime, until it is stopped or the run ends. */
export const keepRunAlive = (options: KeepAliveOptions): KeptRun => {
  const { started, log } = options;
  const stopping = new AbortController();
  const ending = new AbortController();
  let newest = started.token;
  const onToken = async (token: string): Promise<void> => {
    newest = token;
    await options.onToken(token);
  };
  const renewals = renewForEver({ ...options, onToken, signal: stopping.signal }).catch(
    (error: unknown) => {
      if (!stopping.signal.aborted) {
        log(`run ${started.run.id} has ended (${describeError(error)}), and its command with it`);
        ending.abort();
      }
    },
  );
  return {
    token: () => newest,
    ended: ending.signal,
    stop: () => {
      stopping.abort();
      return renewals;
    },
  };
};

type Renewals = KeepAliveOptions & { readonly signal: AbortSignal };

/** Throws when the run has ended, and when the signal is aborted. */
const renewForEver = async (options: Renewals): Promise<never> => {
  const { api, started, log, signal } = options;
  const { serverNowMs } = started;
  const untilRenewalMs = (expiresAt: string): number =>
    Math.max(renewalDelayMinMs, ((Date.parse(expiresAt) - serverNowMs()) * 2) / 3);
  const params = { path: { runId: started.run.id } };
  let { expiresAt } = started;
  for (;;) {
    await sleep(untilRenewalMs(expiresAt), undefined, { signal });
    const { data } = await retryUntilDone(
      () => api.post('/api/runs/{runId}/renew', { params, signal }),
      {
        isRetryable: limitRefusals(expiresAt, serverNowMs),
        signal,
        onFailure: (error) => log(`token not renewed yet: ${describeError(error)}; retrying`),
      },
    );
    expiresAt = data.expiresAt;
    await deliverToken(data.token, untilRenewalMs(expiresAt), options);
  }
};

/** Returns whether a failed renewal is repeated. One that is refused is, at most as long as the token is valid. */
const limitRefusals = (
  expiresAt: string,
  serverNowMs: StartedRun['serverNowMs'],
): ((error: unknown) => boolean) => {
  let endsAtMs: number | undefined;
  return (error) => {
    if (isTransient(error)) {
      return true;
    }
    endsAtMs ??= Math.min(serverNowMs() + refusalTimeoutMs, Date.parse(expiresAt));
    const isOver = error instanceof ProblemError && endCodes.has(error.code);
    return !isOver && serverNowMs() < endsAtMs;
  };
};

/** Retries until the token is stored, or until the next one is due. */
const deliverToken = async (
  token: string,
  withinMs: number,
  { onToken, log, signal }: Pick<Renewals, 'onToken' | 'log' | 'signal'>,
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
