import type { ApiClient } from '../api-client.ts';
import { reconnectDelay, sleep } from '../retry.ts';
import { isRefusal } from './is-refusal.ts';
import { watchHeads } from './watch-heads.ts';

/** What the loop calls, and when it stops. */
export type SyncLoopOptions = {
  readonly api: ApiClient;
  /** Synchronises once. Calls never overlap. */
  readonly syncOnce: () => Promise<void>;
  readonly signal: AbortSignal;
  /** Receives the first error of an outage; the loop retries. */
  readonly onError: (error: unknown) => void;
};

/** A loop that synchronises at once, after every trigger, and when the server has changes. */
export type SyncLoop = {
  /** Requests a synchronisation, because something changed locally. */
  readonly trigger: () => void;
  /** Resolves after the signal; rejects when the server denies access (401, 403). */
  readonly ended: Promise<void>;
};

/** Both sides are compared at least this often. */
const intervalMaxMs = 60_000;
const delayMaxMs = 30_000;

/** Keeps both sides synchronised until the signal. Failures are retried with back-off. */
export const startSyncLoop = (options: SyncLoopOptions): SyncLoop => {
  const wakeSignal = createWakeSignal();
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const { api, onError } = options;
  const { notify } = wakeSignal;
  const watching = watchHeads({ api, signal, onHead: notify, onError, onRecovery: notify });
  const ended = Promise.all([watching, runLoop({ ...options, signal }, wakeSignal)]);
  return {
    trigger: wakeSignal.notify,
    ended: ended.then(() => undefined).finally(() => stopping.abort()),
  };
};

const runLoop = async (
  { syncOnce, signal, onError }: SyncLoopOptions,
  wakeSignal: WakeSignal,
): Promise<void> => {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await syncOnce();
      failures = 0;
      await wakeSignal.wait(intervalMaxMs, signal);
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (isAccessDenied(error)) {
        throw error;
      }
      failures += 1;
      if (failures === 1) {
        onError(error);
      }
      const random = Math.random();
      const delayMs = reconnectDelay({ failures, error, maxDelayMs: delayMaxMs, random });
      await sleep(delayMs, signal).catch(() => undefined);
    }
  }
};

type WakeSignal = {
  readonly notify: () => void;
  /** Resolves when notified since the last call, or after the wait. */
  readonly wait: (waitMs: number, signal: AbortSignal) => Promise<void>;
};

const createWakeSignal = (): WakeSignal => {
  let notified = new AbortController();
  return {
    notify: () => notified.abort(),
    wait: async (waitMs, signal) => {
      await sleep(waitMs, AbortSignal.any([signal, notified.signal])).catch(() => undefined);
      notified = new AbortController();
    },
  };
};

/** Revoked keys and archived companies: a retry cannot succeed. */
const isAccessDenied = (error: unknown): boolean =>
  isRefusal(error) && [401, 403].includes(error.status);
