import type { WorkerMessage } from './worker-function.ts';

/** The worker's side of `createWorkerFunction`: says that it runs, then responds to every message with the handler's result. */
export const serveWorker = (handler: (input: never) => unknown): void => {
  globalThis.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
    send({ output: outputOf(data as never, handler) }),
  );
  send({ isReady: true });
};

const send = (message: WorkerMessage<unknown>): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- workers have none
  globalThis.postMessage(message);

const outputOf = (input: never, handler: (input: never) => unknown): unknown => {
  try {
    return handler(input);
  } catch {
    // Deeply nested text can overflow the stack.
    return null;
  }
};
