import { WorkerError, type WorkerFailure } from './worker-error.ts';

/** What a worker sends: first that its script was loaded and runs, then its responses; null if it found none. */
export type WorkerMessage<Output> = { readonly isReady: true } | { readonly output: Output | null };

type Task<Input> = { readonly input: Input; readonly signal: AbortSignal };

type Attempt<Input> = Task<Input> & {
  readonly worker: Worker;
  /** Whether its script runs already. */
  readonly isReady: boolean;
  readonly timeMaxMs: number;
};

/** A server that restarts is back after a few seconds. */
const loadPausesMs: readonly number[] = [500, 2_000];

/** For the script of a worker, over a slow connection as well. */
const loadMaxMs = 30_000;

/**
 * Returns a function that runs in a worker, so that no input can block the page. It resolves with null if the handler finds no
 * result or the signal aborts. It rejects with a `WorkerError` if the task takes longer than `timeMaxMs`, which count from when the
 * worker runs, if the worker ends by an error, or if its script cannot be loaded, repeatedly. The worker is terminated then; an idle one is kept for the next call.
 */
export const createWorkerFunction = <Input, Output>(start: () => Worker, timeMaxMs: number) => {
  let idle: Worker | null = null;
  const keep = (worker: Worker): void => {
    idle?.terminate();
    idle = worker;
  };
  const runOnce = async (task: Task<Input>): Promise<Output | null> => {
    const attempt = { ...task, worker: idle ?? start(), isReady: idle !== null, timeMaxMs };
    idle = null;
    const output = await runIn<Input, Output>(attempt);
    if (task.signal.aborted) {
      attempt.worker.terminate();
      return null;
    }
    keep(attempt.worker);
    return output;
  };
  return async (task: Task<Input>): Promise<Output | null> => {
    for (const pauseMs of loadPausesMs) {
      try {
        return await runOnce(task);
      } catch (error) {
        if (!(error instanceof NotLoaded)) {
          throw error;
        }
      }
      await pause(pauseMs, task.signal);
      if (task.signal.aborted) {
        return null;
      }
    }
    return runOnce(task);
  };
};

/** The script of a worker failed, at once: another attempt may succeed. */
class NotLoaded extends WorkerError {
  constructor() {
    super('load');
  }
}

const runIn = <Input, Output>(attempt: Attempt<Input>): Promise<Output | null> =>
  new Promise((resolve, reject) => {
    const { worker, input, signal, timeMaxMs } = attempt;
    const settled = new AbortController();
    const whileRunning = { signal: settled.signal };
    const end = (): void => {
      settled.abort();
      worker.terminate();
    };
    const fail = (error: WorkerError): void => {
      end();
      reject(error);
    };
    const limit = (ms: number, failure: WorkerFailure) =>
      setTimeout(() => fail(new WorkerError(failure)), ms);
    let { isReady } = attempt;
    let timer = isReady ? limit(timeMaxMs, 'time') : limit(loadMaxMs, 'load');
    settled.signal.addEventListener('abort', () => clearTimeout(timer));
    const cancel = (): void => {
      end();
      resolve(null);
    };
    signal.addEventListener('abort', cancel, whileRunning);
    worker.addEventListener(
      'error',
      () => fail(isReady ? new WorkerError('crash') : new NotLoaded()),
      whileRunning,
    );
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<WorkerMessage<Output>>) => {
        if ('isReady' in data) {
          isReady = true;
          clearTimeout(timer);
          timer = limit(timeMaxMs, 'time');
          return;
        }
        settled.abort();
        resolve(data.output);
      },
      whileRunning,
    );
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- workers have none
    worker.postMessage(input);
  });

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener('abort', () => resolve());
  });
