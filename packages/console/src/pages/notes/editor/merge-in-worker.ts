import type { Texts } from '@commonplace/merge';
import { createWorkerFunction } from '../../../app/workers/worker-function.ts';

const timeMaxMs = 3_000;

/** Merges two descendants of a text as the server does; null if both changed the same place. */
export const mergeInWorker = createWorkerFunction<Texts, string>(
  () => new Worker(new URL('merge-worker.ts', import.meta.url), { type: 'module' }),
  timeMaxMs,
);
