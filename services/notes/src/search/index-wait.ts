import { coalesceFresh } from '@commonplace/concurrency';
import type { CompanyId } from '@commonplace/contracts/core';
import { lookup, type Db } from '@commonplace/db';
import { afterReading } from '@commonplace/http/core';
import { findSearchState, type SearchState } from '../queries/search-index.ts';

/** The longest wait of a search. After an import of many notes, what is indexed by then is more use than a late error. */
export const indexWaitMs = 5_000;

/** The index that a search gets. */
export type ReadyIndex = Pick<SearchState, 'indexedNo' | 'isRebuilding'> & {
  /** It has every change that was made before the search. */
  readonly isComplete: boolean;
};

/** Waits until the index of a company has what was written before, for a limited time. `known`: its state since the call. */
export type WaitForIndex = (companyId: CompanyId, known?: SearchState) => Promise<ReadyIndex>;

/** Whether everything written before the state was read is indexed. */
export const isUpToDate = ({ indexedNo, newestNo }: SearchState): boolean => indexedNo >= newestNo;

type IndexWaitOptions = {
  readonly db: Db;
  readonly indexPendingNotes: (companyId: CompanyId) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly waitMs: number;
};

/**
 * Creates the wait of searches for the index. Call it outside of slots: it may take seconds, and access has to be checked after
 * it. However many searches wait, one run of a company serves them. It goes on when nobody waits any more, and nobody waits
 * for one that has taken `waitMs` already.
 */
export const createIndexWait = ({
  db,
  indexPendingNotes,
  onError,
  waitMs,
}: IndexWaitOptions): WaitForIndex => {
  const startedAtMs = new Map<CompanyId, number>();
  const index = coalesceFresh(async ({ key }: { readonly key: CompanyId }) => {
    startedAtMs.set(key, performance.now());
    try {
      await indexPendingNotes(key);
    } catch (error) {
      // Those who waited may have left.
      onError(error);
      throw error;
    } finally {
      startedAtMs.delete(key);
    }
  });
  const readState = (companyId: CompanyId) => lookup(db, companyId, findSearchState);
  return async (companyId, known) => {
    const before = known ?? (await readState(companyId));
    if (isUpToDate(before)) {
      return { ...before, isComplete: true };
    }
    const indexed = index({ key: companyId });
    const ageMs = performance.now() - (startedAtMs.get(companyId) ?? performance.now());
    const late = Promise.withResolvers<void>();
    const cancel = afterReading(Math.max(0, waitMs - ageMs), late.resolve);
    try {
      await Promise.race([indexed, late.promise]);
    } finally {
      cancel();
    }
    const now = await readState(companyId);
    return { ...now, isComplete: now.indexedNo >= before.newestNo || isUpToDate(now) };
  };
};
