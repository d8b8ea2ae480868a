import { createWorkerFunction } from '../../../app/workers/worker-function.ts';
import type { DiffPart } from './diff-lines.ts';

/** Two texts to compare. */
export type DiffInput = { readonly before: string; readonly after: string };

/** Comparing 10,000 lines with 10,000 different ones would take about 15 seconds. */
export const diffTimeMaxMs = 3_000;

/** Compares two texts by lines without blocking the page. */
export const diffInWorker = createWorkerFunction<DiffInput, readonly DiffPart[]>(
  () => new Worker(new URL('diff-worker.ts', import.meta.url), { type: 'module' }),
  // The worker checks the limit itself; this terminates one that does not get to check.
  2 * diffTimeMaxMs,
);
