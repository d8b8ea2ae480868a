import { coalesceFresh } from '@commonplace/concurrency';
import type { CompanyId } from '@commonplace/contracts/core';

export type DelayedIndexerOptions = {
  /** Brings the indexes of a company up to date. */
  readonly index: (companyId: CompanyId) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
  /** Time without writes before a company's notes are indexed. */
  readonly quietMs?: number;
  /** Longest delay of indexing under continuous writes. */
  readonly delayMaxMs?: number;
};

/**
 * Indexes the notes of a company once its writes pause, so that writing and indexing do not compete. A timer
 * lost with its process does no harm: the next read indexes what is pending.
 */
export const createDelayedIndexer = (options: DelayedIndexerOptions) => {
  const { onError, quietMs = 1_000, delayMaxMs = 30_000 } = options;
  // One run of a company waits for the one before it, instead of waiting for its lock with a connection.
  const index = coalesceFresh(({ key }: { readonly key: CompanyId }) => options.index(key));
  const waiting = new Map<CompanyId, { readonly since: number; readonly timer: NodeJS.Timeout }>();

  const start = (companyId: CompanyId): void => {
    waiting.delete(companyId);
    index({ key: companyId }).catch(onError);
  };

  return {
    /** Call after every COMMIT that changed notes. */
    onCommit: (companyId: CompanyId): void => {
      const before = waiting.get(companyId);
      clearTimeout(before?.timer);
      const since = before?.since ?? performance.now();
      const delayMs = Math.max(0, Math.min(quietMs, since + delayMaxMs - performance.now()));
      const timer = setTimeout(() => start(companyId), delayMs).unref();
      waiting.set(companyId, { since, timer });
    },
  };
};
