import { createByteBudget } from '@commonplace/concurrency';

/** Reserves bytes of a budget while `work` runs; waits until they are available. */
export type ReserveBytes = <Result>(bytes: number, work: () => Promise<Result>) => Promise<Result>;

/**
 * Limits the memory of concurrent heavy work of all companies. Admits in arrival order, also when the first needs
 * much and the next little. The limiter and the write queue of a company keep it to few places in this queue.
 * Work that needs more than the whole budget reserves all of it.
 */
export const createStoredBudget = (bytesMax: number) => {
  const { reserve: take, reservedBytes } = createByteBudget({ bytesMax });
  const reserve: ReserveBytes = async (wanted, work) => {
    const release = await take('all', Math.min(wanted, bytesMax));
    try {
      return await work();
    } finally {
      release();
    }
  };
  return { reserve, reservedBytes };
};

/**
 * Limits on stored notes that are read. A request of a few kilobytes may name notes of hundreds of megabytes,
 * so work is measured by its stored bytes before they are read.
 */
export const storedBudget = {
  /** Stored bytes that one transaction merges, where a request can be divided. */
  partBytes: 8 * 1024 * 1024,
  /** Stored bytes that one request merges; beyond it, both sides are kept unmerged. */
  requestBytes: 128 * 1024 * 1024,
  /** Stored bytes that one transaction reads at most; beyond it, both sides are kept unmerged. */
  transactionBytes: 16 * 1024 * 1024,
  /** Stored bytes that concurrent heavy requests of a process may reserve. */
  processBytes: 24 * 1024 * 1024,
  /** Work that needs no more than this does not wait: a request may send as much. */
  freeBytes: 1024 * 1024,
  /** The merges that fit into a part: each reads the base and the current version, of half a MiB each. */
  mergesUncounted: 8,
} as const;

/** The requests of a batch name more stored text than one transaction may read: each needs its own. */
export class StoredTooMuchError extends Error {
  constructor() {
    super('These requests name too much stored text for one transaction');
    this.name = 'StoredTooMuchError';
  }
}
