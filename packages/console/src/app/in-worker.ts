/** What a worker answers; null when it cannot make anything of what it was given. */
export type WorkerAnswer<Output> = { readonly output: Output | null };

type Task<Input> = { readonly input: Input; readonly signal: AbortSignal };

/**
 * Makes a function that runs in a worker, so that nothing it is given can hold up the page. It resolves
 * with null when the worker cannot do it, or not within `timeMaxMs`: then the worker is ended. One that
 * is through is kept for the next call.
 */
export const inWorker = <Input, Output>(start: () => Worker, timeMaxMs: number) => {
  let idle: Worker | null = null;
  return ({ input, signal }: Task<Input>): Promise<Output | null> =>
    new Promise((resolve) => {
      const worker = idle ?? start();
      idle = null;
      const over = new AbortController();
      const giveUp = (): void => {
        over.abort();
        worker.terminate();
        resolve(null);
      };
      const timer = setTimeout(giveUp, timeMaxMs);
      over.signal.addEventListener('abort', () => clearTimeout(timer));
      signal.addEventListener('abort', giveUp, { signal: over.signal });
      worker.addEventListener('error', giveUp, { signal: over.signal });
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<WorkerAnswer<Output>>) => {
          over.abort();
          idle?.terminate();
          idle = worker;
          resolve(data.output);
        },
        { signal: over.signal },
      );
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- workers have none
      worker.postMessage(input);
    });
};
