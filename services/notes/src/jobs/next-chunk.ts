import type { SyncChange } from '@commonplace/contracts/notes';

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
