/** The response of a worker; null if it failed. */
export type WorkerResponse<Output> = { readonly output: Output | null };

type Task<Input> = { readonly input: Input; readonly signal: AbortSignal };

/**
 * Returns a function that runs in a worker, so that no input can block the page. It resolves with null
 * if the worker fails, exceeds `timeMaxMs`, or the signal aborts; the worker is terminated then. An idle
 * worker is kept for the next call.
 */
export const createWorkerFunction = <Input, Output>(start: () => Worker, timeMaxMs: number) => {
  let idle: Worker | null = null;
  return ({ input, signal }: Task<Input>): Promise<Output | null> =>
    new Promise((resolve) => {
      const worker = idle ?? start();
      idle = null;
      const settled = new AbortController();
      const cancel = (): void => {
        settled.abort();
        worker.terminate();
        resolve(null);
      };
      const timer = setTimeout(cancel, timeMaxMs);
      settled.signal.addEventListener('abort', () => clearTimeout(timer));
      signal.addEventListener('abort', cancel, { signal: settled.signal });
      worker.addEventListener('error', cancel, { signal: settled.signal });
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<WorkerResponse<Output>>) => {
          settled.abort();
          idle?.terminate();
          idle = worker;
          resolve(data.output);
        },
        { signal: settled.signal },
      );
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- workers have none
      worker.postMessage(input);
    });
};
