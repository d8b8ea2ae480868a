import type { SyncChange, SyncChangeResult } from '@commonplace/contracts/notes';
import type { EarlierPush } from '../commands/push-changes.ts';

/** What one transaction of a job takes: as much as a request that is answered at once. */
const chunkMax = { changes: 500, bytes: 8 * 1024 * 1024 } as const;

/** The changes that come next, at least one. */
export const nextChunk = (changes: readonly SyncChange[], done: number): SyncChange[] => {
  const candidates = changes.slice(done, done + chunkMax.changes);
  let bytes = 0;
  const end = candidates.findIndex((change, index) => {
    bytes += JSON.stringify(change).length;
    return index > 0 && bytes > chunkMax.bytes;
  });
  return end < 0 ? candidates : candidates.slice(0, end);
};

/**
 * What earlier chunks sent to the notes of this one, from the same base: a later change of the same
 * request follows it, whichever chunks the two are in.
 */
export const earlierOf = (
  chunk: readonly SyncChange[],
  changes: readonly SyncChange[],
  results: readonly SyncChangeResult[],
): EarlierPush[] => {
  const chains = new Set(chunk.map(chainOf));
  const earlier = new Map<string, EarlierPush>();
  results.forEach((outcome, index) => {
    const change = changes[index];
    if (change && chains.has(chainOf(change)) && outcome.status !== 'rejected') {
      earlier.set(chainOf(change), { change, outcome });
    }
  });
  return [...earlier.values()];
};

const chainOf = ({ id, baseRevision }: SyncChange): string => `${id}:${baseRevision}`;
