import { inWorker } from '../../app/in-worker.ts';
import type { DiffPart } from './diff-lines.ts';

/** Two texts to compare. */
export type DiffInput = { readonly before: string; readonly after: string };

/** So long a comparison may take: 10,000 lines against 10,000 others would take a quarter of a minute. */
export const diffTimeMaxMs = 3_000;

/** Compares two texts by lines without holding up the page. */
export const diffInWorker = inWorker<DiffInput, readonly DiffPart[]>(
  () => new Worker(new URL('diff-worker.ts', import.meta.url), { type: 'module' }),
  // The worker looks at the clock itself; this is for one that does not get to it.
  2 * diffTimeMaxMs,
);
