/** Holds so many bytes of a budget while something is done; waits until they are there. */
export type ReserveBytes = <Result>(bytes: number, work: () => Promise<Result>) => Promise<Result>;

/**
 * Bounds what heavy work of all companies holds in memory at the same time. Whoever comes first is served first,
 * also if it needs much and the next one little. A company has one line of such work at a time (its turns, its
 * lane), so it has few places in this queue, however much it asks for. What needs more than there is gets all.
 */
export const createByteBudget = (bytesMax: number) => {
  const waiting: { readonly bytes: number; readonly begin: () => void }[] = [];
  let held = 0;

  const admit = (): void => {
    for (let next = waiting[0]; next && held + next.bytes <= bytesMax; next = waiting[0]) {
      waiting.shift();
      held += next.bytes;
      next.begin();
    }
  };

  const hold: ReserveBytes = async (wanted, work) => {
    const bytes = Math.min(wanted, bytesMax);
    await new Promise<void>((begin) => {
      waiting.push({ bytes, begin });
      admit();
    });
    try {
      return await work();
    } finally {
      held -= bytes;
      admit();
    }
  };

  return { hold, held: (): number => held };
};

/**
 * Bounds of what is read of stored notes. A request of a few kilobytes may name notes of hundreds of megabytes,
 * so work is measured by what is stored, and before it is read.
 */
export const storedBudget = {
  /** Stored bytes that one transaction merges, where a request can be divided. */
  partBytes: 8 * 1024 * 1024,
  /** Stored bytes that one request merges; the rest of its merges are not made, and both sides are kept. */
  requestBytes: 128 * 1024 * 1024,
  /** Stored bytes that one transaction reads at most; what is beyond is not merged, but kept beside. */
  transactionBytes: 16 * 1024 * 1024,
  /** Stored bytes that all heavy requests of a process hold at the same time. */
  processBytes: 24 * 1024 * 1024,
  /** Who needs no more than this waits for nobody: it is what a request may send anyway. */
  freeBytes: 1024 * 1024,
  /** A note has a version it is based on and one it has now, of half a MiB each: so many fit into a part. */
  mergesUncounted: 8,
} as const;

/** Requests name more stored text than one transaction may read: each has to be written in one of its own. */
export class StoredTooMuchError extends Error {
  constructor() {
    super('These requests name too much stored text for one transaction');
    this.name = 'StoredTooMuchError';
  }
}
