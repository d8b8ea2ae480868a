import type { CompanyId } from '@commonplace/contracts/core';
import type { IndexPendingNotes } from './index-pending-notes.ts';

export type SearchIndexerOptions = {
  readonly indexPendingNotes: IndexPendingNotes;
  readonly onError: (error: unknown) => void;
  /** Time without writes before a company's notes are indexed. */
  readonly quietMs?: number;
  /** Longest delay of indexing under continuous writes. */
  readonly delayMaxMs?: number;
};

/**
 * Indexes the notes of a company once its writes pause, so that writing and indexing do not compete. A timer
 * lost with its process does no harm: the next search indexes what is pending.
 */
export const createSearchIndexer = (options: SearchIndexerOptions) => {
  const { indexPendingNotes, onError, quietMs = 1_000, delayMaxMs = 30_000 } = options;
  const waiting = new Map<CompanyId, { readonly since: number; readonly timer: NodeJS.Timeout }>();

  const index = (companyId: CompanyId): void => {
    waiting.delete(companyId);
    indexPendingNotes(companyId).catch(onError);
  };

  return {
    /** Call after every COMMIT that changed notes. */
    onCommit: (companyId: CompanyId): void => {
      const before = waiting.get(companyId);
      clearTimeout(before?.timer);
      const since = before?.since ?? Date.now();
      const delayMs = Math.max(0, Math.min(quietMs, since + delayMaxMs - Date.now()));
      const timer = setTimeout(() => index(companyId), delayMs).unref();
      waiting.set(companyId, { since, timer });
    },
  };
};
