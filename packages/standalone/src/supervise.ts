import { setTimeout as sleep } from 'node:timers/promises';
import { backOffMs, stableAfterMs } from './back-off.ts';

/** A process that is ready. */
export type RunningProcess = {
  readonly pid: number;
  /** Resolves with how the process ended: a signal, an exit code or an error. */
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
};

/** A process that is restarted whenever it ends. */
export type SupervisedProcess = {
  readonly name: string;
  /** Null while the process is not running. */
  readonly pid: () => number | null;
  readonly stop: () => Promise<void>;
};

/** The process refused its configuration. A retry would fail in the same way. */
export class RefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedError';
  }
}

type SuperviseOptions = {
  readonly name: string;
  /** Resolves when the process is ready. Rejects if it ends before, or is aborted. */
  readonly launch: (signal: AbortSignal) => Promise<RunningProcess>;
  readonly log: (line: string) => void;
  /** Attempts of the first start. */
  readonly startAttempts: number;
  /** Aborts the first start. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Starts a process and restarts it whenever it ends, with a back-off that grows while it keeps failing. The first
 * start has few attempts: a process that has never run is probably misconfigured.
 */
export const supervise = async (options: SuperviseOptions): Promise<SupervisedProcess> => {
  const { name, launch, log } = options;
  const stopping = new AbortController();
  let current: RunningProcess | null = await launchFirst(options);

  const keepRunning = async (): Promise<void> => {
    for (let failures = 0; ;) {
      const startedAt = performance.now();
      const how = await current?.exited;
      current = null;
      if (stopping.signal.aborted) {
        return;
      }
      if (how !== undefined) {
        log(`${name} ended (${how}); starting it again`);
      }
      failures = performance.now() - startedAt > stableAfterMs ? 1 : failures + 1;
      await pause(backOffMs(failures), stopping.signal);
      current = await launch(stopping.signal).catch(logFailure(options, stopping.signal));
      await (stopping.signal.aborted ? current?.stop() : undefined);
    }
  };
  const supervision = keepRunning();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await current?.stop();
    await supervision;
  };
  return { name, pid: () => current?.pid ?? null, stop };
};

const launchFirst = async (options: SuperviseOptions): Promise<RunningProcess> => {
  const signal = options.signal ?? new AbortController().signal;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await options.launch(signal);
    } catch (error) {
      const isLast = attempt === options.startAttempts || error instanceof RefusedError;
      if (isLast || signal.aborted) {
        const message = `${options.name} could not be started: ${(error as Error).message}`;
        throw new Error(message, { cause: error });
      }
      logFailure(options, signal)(error);
      await pause(backOffMs(attempt), signal);
    }
  }
};

/** An aborted start is not logged. */
const logFailure =
  ({ name, log }: SuperviseOptions, signal: AbortSignal) =>
  (error: unknown): null => {
    if (!signal.aborted) {
      log(`${name} could not be started: ${(error as Error).message}`);
    }
    return null;
  };

/** Waits; resolves early if the signal aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);
