import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ThreadMemory } from './thread-memory.ts';

/** Runs tasks in a worker thread, one at a time. */
export type TaskThread<Input, Output> = {
  /** Rejects when the task takes longer, the thread runs out of memory, or the task throws. */
  readonly run: (input: Input, msMax: number) => Promise<FinishedTask<Output>>;
};

/** `ms`: the duration without the time in the queue. */
type FinishedTask<Output> = { readonly output: Output; readonly ms: number };

export type TaskThreadOptions = {
  /** Posts `ready`, then responds to each message with one message. */
  readonly file: URL;
  readonly memory: {
    readonly maxOldGenerationSizeMb: number;
    readonly maxYoungGenerationSizeMb: number;
  };
  /** Memory that is shared with other threads of the process. */
  readonly shared?: ThreadMemory | undefined;
  /** Called when an idle thread does not end. */
  readonly onError: (error: unknown) => void;
  /** Idle time after which the thread ends and releases its memory. */
  readonly idleMs?: number | undefined;
};

const readyMsMax = 20_000;
/** A thread that was used until now is likely to be needed next: beside another one it would end and start all the time. */
const idleMsMin = 1_000;

/**
 * Creates a worker thread that starts with the first task. It keeps long work off the event loop, and unlike
 * a function it can be terminated, so that every task ends in time.
 */
export const createTaskThread = <Input, Output>({
  file,
  memory,
  shared,
  onError,
  idleMs = 10_000,
}: TaskThreadOptions): TaskThread<Input, Output> => {
  let running: Promise<Worker> | null = null;
  let before: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let idleSinceMs = 0;
  let pending = 0;

  const end = async (): Promise<void> => {
    const ending = running;
    running = null;
    await ending?.then((worker) => worker.terminate());
  };

  const makeRoom = shared?.join(async () => {
    if (pending === 0 && performance.now() - idleSinceMs >= idleMsMin) {
      clearTimeout(idle);
      await end().catch(onError);
    }
  });

  const runNext = async (input: Input, msMax: number): Promise<FinishedTask<Output>> => {
    clearTimeout(idle);
    try {
      running ??= start({ file, memory, makeRoom });
      const worker = await running;
      const startedAt = performance.now();
      const output = await request<Output>(worker, input, msMax);
      return { output, ms: performance.now() - startedAt };
    } catch (error) {
      await end().catch(() => undefined);
      throw error;
    } finally {
      idleSinceMs = performance.now();
      idle = setTimeout(() => void end().catch(onError), idleMs).unref();
    }
  };

  return {
    run: (input, msMax) => {
      pending += 1;
      const task = before.then(() => runNext(input, msMax)).finally(() => (pending -= 1));
      before = task.catch(() => undefined);
      return task;
    },
  };
};

type Start = Pick<TaskThreadOptions, 'file' | 'memory'> & {
  readonly makeRoom: (() => Promise<void>) | undefined;
};

const start = async ({ file, memory, makeRoom }: Start): Promise<Worker> => {
  await makeRoom?.();
  const worker = new Worker(file, { resourceLimits: memory });
  // A pending task observes the error; without a listener that of an idle or unready thread would end the process.
  worker.on('error', () => undefined);
  worker.unref();
  try {
    await once(worker, 'message', { signal: AbortSignal.timeout(readyMsMax) });
    return worker;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
};

/** Rejects on timeout, or when the thread ends. */
const request = async <Output>(worker: Worker, input: unknown, msMax: number): Promise<Output> => {
  const over = new AbortController();
  const { signal } = over;
  const timer = setTimeout(() => over.abort(new Error(`A task took more than ${msMax} ms`)), msMax);
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new Error('The thread ended during a task');
  });
  // `once` rejects on an error of the thread, and on abort.
  const responded = once(worker, 'message', { signal });
  ended.catch(() => undefined);
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin.
    worker.postMessage(input);
    const [response] = (await Promise.race([responded, ended])) as [Output];
    return response;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
};
