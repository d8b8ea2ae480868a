import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Texts } from './merge-text.ts';

/** Merges texts in another thread, one after the other. */
export type MergeThread = {
  readonly merge: (texts: Texts, msMax: number) => Promise<MadeMerge>;
};

type MadeMerge = {
  /** Null: they cannot be merged, or not within that time, or in the memory that the thread has. */
  readonly merged: string | null;
  /** How long it took, without the merges before it. */
  readonly ms: number;
};

export type MergeThreadOptions = {
  readonly onError: (error: unknown) => void;
  /** After so long without a merge the thread ends and gives its memory back. */
  readonly idleMs?: number;
};

/** A merge of the largest texts takes some 60 MB; what needs far more is given up. */
const memory = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };
const readyMsMax = 20_000;

/**
 * A thread that starts with the first merge. It keeps long merges off the event loop, on which everybody waits, and
 * unlike a function it can be stopped: whatever a merge does, it ends in time.
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
      return made(await ask(worker, texts, msMax));
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
  // Its end is seen by whoever waits for a merge; between two merges nobody does.
  worker.on('error', () => undefined);
  return worker;
};

/** Fails when the time is up, or when the thread ends. */
const ask = async (worker: Worker, texts: Texts, msMax: number): Promise<string | null> => {
  const over = new AbortController();
  const { signal } = over;
  const timer = setTimeout(
    () => over.abort(new Error(`A merge took more than ${msMax} ms`)),
    msMax,
  );
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new Error('The thread of merges ended amid a merge');
  });
  // `once` fails with any error of the thread, and with the signal.
  const answered = once(worker, 'message', { signal });
  ended.catch(() => undefined);
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin.
    worker.postMessage(texts);
    const [answer] = (await Promise.race([answered, ended])) as [{ merged: string | null }];
    return answer.merged;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
};
