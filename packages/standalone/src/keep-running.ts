import { setTimeout as sleep } from 'node:timers/promises';
import { backOffMs, ranWellMs } from './back-off.ts';

/** A process that does its work. */
export type Launched = {
  readonly pid: number;
  /** Settled with a word on how it ended. */
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
};

/** A process that is started again whenever it ends. */
export type Kept = {
  readonly name: string;
  /** Null between an end and the next start. */
  readonly pid: () => number | null;
  readonly stop: () => Promise<void>;
};

/** A process that ended by itself with the reason why it will not start like this: to try again is no use. */
export class RefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedError';
  }
}

type KeepOptions = {
  readonly name: string;
  /** Resolves when the process does its work; rejects when it ended before, or was aborted. */
  readonly launch: (signal: AbortSignal) => Promise<Launched>;
  readonly log: (line: string) => void;
  /** How often the first start is tried. */
  readonly firstTries: number;
  /** Gives up the first start. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Starts a process and from then on starts it again when it ends, after a wait that grows while it
 * keeps failing. The first start must succeed within a few tries: what never ran is misconfigured,
 * and to say so beats trying for ever.
 */
export const keepRunning = async (options: KeepOptions): Promise<Kept> => {
  const { name, launch, log } = options;
  const stopping = new AbortController();
  let current: Launched | null = await launchFirst(options);

  const keep = async (): Promise<void> => {
    for (let failures = 0; ;) {
      const startedAt = Date.now();
      const how = await current?.exited;
      current = null;
      if (stopping.signal.aborted) {
        return;
      }
      if (how !== undefined) {
        log(`${name} ended (${how}); starting it again`);
      }
      failures = Date.now() - startedAt > ranWellMs ? 1 : failures + 1;
      await pause(backOffMs(failures), stopping.signal);
      current = await launch(stopping.signal).catch(sayWhy(options, stopping.signal));
      await (stopping.signal.aborted ? current?.stop() : undefined);
    }
  };
  const kept = keep();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await current?.stop();
    await kept;
  };
  return { name, pid: () => current?.pid ?? null, stop };
};

const launchFirst = async (options: KeepOptions): Promise<Launched> => {
  const signal = options.signal ?? new AbortController().signal;
  for (let tries = 1; ; tries += 1) {
    try {
      return await options.launch(signal);
    } catch (error) {
      const isLast = tries === options.firstTries || error instanceof RefusedError;
      if (isLast || signal.aborted) {
        const message = `${options.name} could not be started: ${(error as Error).message}`;
        throw new Error(message, { cause: error });
      }
      sayWhy(options, signal)(error);
      await pause(backOffMs(tries), signal);
    }
  }
};

/** A start that was given up on request needs no explanation. */
const sayWhy =
  ({ name, log }: KeepOptions, signal: AbortSignal) =>
  (error: unknown): null => {
    if (!signal.aborted) {
      log(`${name} could not be started: ${(error as Error).message}`);
    }
    return null;
  };

/** Waits, or until the signal says that waiting makes no sense any more. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);
