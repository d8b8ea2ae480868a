import type { SyncChange } from '@commonplace/contracts/notes';

/** Limits of one chunk: those of a foreground request. */
const chunkMax = { changes: 500, bytes: 8 * 1024 * 1024 } as const;

/** The next changes to apply, at least one. */
export const nextChunk = (changes: readonly SyncChange[], done: number): SyncChange[] => {
  const candidates = changes.slice(done, done + chunkMax.changes);
  let bytes = 0;
  const end = candidates.findIndex((change, index) => {
    bytes += JSON.stringify(change).length;
    return index > 0 && bytes > chunkMax.bytes;
  });
  return end < 0 ? candidates : candidates.slice(0, end);
};
