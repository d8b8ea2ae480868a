import type { Combined, Texts } from '@commonplace/merge';
import { createWorkerFunction } from '../../../app/workers/worker-function.ts';

const timeMaxMs = 3_000;

/** Combines two descendants of a text that overlap; null if that takes too long. */
export const combineInWorker = createWorkerFunction<Texts, Combined>(
  () => new Worker(new URL('combine-worker.ts', import.meta.url), { type: 'module' }),
  timeMaxMs,
);
