import type { WorkerResponse } from './worker-function.ts';

/** The worker's side of `createWorkerFunction`: responds to every message with the handler's result. */
export const serveWorker = (handler: (input: never) => unknown): void => {
  globalThis.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const output = outputOf(data as never, handler);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- workers have none
    globalThis.postMessage({ output } satisfies WorkerResponse<unknown>);
  });
};

const outputOf = (input: never, handler: (input: never) => unknown): unknown => {
  try {
    return handler(input);
  } catch {
    // Deeply nested text can overflow the stack.
    return null;
  }
};
