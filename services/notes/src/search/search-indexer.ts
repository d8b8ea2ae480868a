import type { CompanyId } from '@commonplace/contracts/core';
import type { Db } from '@commonplace/db';
import { indexPendingNotes } from './index-pending-notes.ts';

export type SearchIndexerOptions = {
  readonly db: Db;
  readonly onError: (error: unknown) => void;
  /** How long a company must be left alone before its notes are indexed. */
  readonly quietMs?: number;
  /** How long indexing is put off at most, when it never is. */
  readonly delayMaxMs?: number;
};

/**
 * Indexes the notes of a company once it is quiet, so that a flood of writes and the indexing of it
 * do not compete. Losing the timer with the process loses nothing: the next search catches up.
 */
export const createSearchIndexer = (options: SearchIndexerOptions) => {
  const { db, onError, quietMs = 1_000, delayMaxMs = 30_000 } = options;
  const waiting = new Map<CompanyId, { readonly since: number; readonly timer: NodeJS.Timeout }>();

  const index = (companyId: CompanyId): void => {
    waiting.delete(companyId);
    indexPendingNotes(db, companyId).catch(onError);
  };

  return {
    /** Told after every COMMIT that changed notes. */
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
