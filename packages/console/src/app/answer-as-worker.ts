import type { WorkerAnswer } from './in-worker.ts';

/** The worker's side of `inWorker`: answers every message with what is made of it. */
export const answerAsWorker = (make: (input: never) => unknown): void => {
  globalThis.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- workers have none
    globalThis.postMessage({ output: madeOf(data as never, make) } satisfies WorkerAnswer<unknown>);
  });
};

const madeOf = (input: never, make: (input: never) => unknown): unknown => {
  try {
    return make(input);
  } catch {
    // A text may exhaust the stack: nothing can be made of it.
    return null;
  }
};
