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
