import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Texts } from './merge-text.ts';

/** Merges texts in a worker thread, one at a time. */
export type MergeThread = {
  readonly merge: (texts: Texts, msMax: number) => Promise<MadeMerge>;
};

type MadeMerge = {
  /** Null: a conflict, a timeout, or out of memory. */
  readonly merged: string | null;
  /** Duration, without the time in the queue. */
  readonly ms: number;
};

export type MergeThreadOptions = {
  readonly onError: (error: unknown) => void;
  /** Idle time after which the thread ends and releases its memory. */
  readonly idleMs?: number;
};

/** A merge of the largest texts takes about 60 MB. Merges beyond the limit are given up. */
const memory = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };
const readyMsMax = 20_000;

/**
 * Creates a worker thread that starts with the first merge. It keeps long merges off the event loop, and unlike
 * a function it can be terminated, so that every merge ends in time.
 */
export const createMergeThread = ({
  onError,
  idleMs = 10_000,
}: MergeThreadOptions): MergeThread => {
  let running: Promise<Worker> | null = null;
  let before: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  const end = async (): Promise<void> => {
    const ending = running;
    running = null;
    await ending?.then((worker) => worker.terminate());
  };

  const mergeNext = async (texts: Texts, msMax: number): Promise<MadeMerge> => {
    clearTimeout(idle);
    let startedAt = performance.now();
    const made = (merged: string | null) => ({ merged, ms: performance.now() - startedAt });
    try {
      running ??= start();
      const worker = await running;
      startedAt = performance.now();
      return made(await requestMerge(worker, texts, msMax));
    } catch (error) {
      onError(error);
      await end().catch(() => undefined);
      return made(null);
    } finally {
      idle = setTimeout(() => void end().catch(onError), idleMs).unref();
    }
  };

  return {
    merge: (texts, msMax) => {
      const merging = before.then(() => mergeNext(texts, msMax));
      before = merging;
      return merging;
    },
  };
};

const start = async (): Promise<Worker> => {
  const worker = new Worker(new URL('merge-worker.ts', import.meta.url), {
    resourceLimits: memory,
  });
  worker.unref();
  await once(worker, 'message', { signal: AbortSignal.timeout(readyMsMax) });
  // A pending merge observes the error; without a listener an idle thread's error would end the process.
  worker.on('error', () => undefined);
  return worker;
};

/** Rejects on timeout, or when the thread ends. */
const requestMerge = async (
  worker: Worker,
  texts: Texts,
  msMax: number,
): Promise<string | null> => {
  const over = new AbortController();
  const { signal } = over;
  const timer = setTimeout(
    () => over.abort(new Error(`A merge took more than ${msMax} ms`)),
    msMax,
  );
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new Error('The merge thread ended during a merge');
  });
  // `once` rejects on an error of the thread, and on abort.
  const responded = once(worker, 'message', { signal });
  ended.catch(() => undefined);
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin.
    worker.postMessage(texts);
    const [response] = (await Promise.race([responded, ended])) as [{ merged: string | null }];
    return response.merged;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
};
