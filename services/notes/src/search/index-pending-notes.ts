import { createLimiter } from '@commonplace/concurrency';
import { AppError, type CompanyId } from '@commonplace/contracts/core';
import { inIndexOrder, read } from '@commonplace/db';
import { findSearchProgress, findSearchState, listNotesToIndex } from '../queries/search-index.ts';
import { removeUnusedWords } from './remove-words.ts';
import { storePart, type StoreDeps } from './store-part.ts';

/** Limits of one part: 500 short notes take about 0.1 s, 256 KiB of different words 1 s. A large note is a part. */
const part = { limit: 500, bytesMax: 256 * 1024 } as const;

/** Parts in memory: of as many companies, whose documents the thread builds by slices. */
const runningMax = 6;

export type IndexerDeps = StoreDeps;

/** Brings the index of a company up to date. */
export type IndexPendingNotes = (companyId: CompanyId) => Promise<void>;

/**
 * Creates the indexing of what changed. It is called before a search, so that a search sees every earlier write,
 * and some time after writes, so that searches rarely wait for it. Calls for one company share their parts.
 */
export const createPendingIndexer = (deps: IndexerDeps): IndexPendingNotes => {
  const running = new Map<CompanyId, Promise<void>>();
  const limit = createLimiter({
    runningMax,
    rejection: () => new AppError('busy', 'Too much to index.'),
  });

  const indexShared = (companyId: CompanyId): Promise<void> => {
    const current = running.get(companyId);
    if (current) {
      return current;
    }
    const started = limit(() => indexPart(deps, companyId)).finally(() =>
      running.delete(companyId),
    );
    running.set(companyId, started);
    return started;
  };

  const readState = (companyId: CompanyId) =>
    read(deps.db, inIndexOrder(companyId), findSearchState);

  return async (companyId) => {
    let state = await readState(companyId);
    // Changes made meanwhile may wait, or a search beside many writes would not end.
    const wantedNo = state.newestNo;
    // The newest note may be purged meanwhile.
    while (state.indexedNo < Math.min(wantedNo, state.newestNo)) {
      await indexShared(companyId);
      state = await readState(companyId);
    }
  };
};

/** Indexes the next notes that changed. */
const indexPart = async (deps: IndexerDeps, companyId: CompanyId): Promise<void> => {
  const { db } = deps;
  const progress = await read(db, inIndexOrder(companyId), findSearchProgress);
  const { changeNo: after } = progress;
  const range = { after, upTo: null, withUnchanged: false, ...part };
  const notes = await read(db, inIndexOrder(companyId), (tx) => listNotesToIndex(tx, range));
  if (notes.length === 0) {
    return;
  }
  await storePart(deps, companyId, {
    notes,
    after,
    keepsWords: progress.rebuiltNo < progress.changeNo,
    advance: ({ changeNo, rebuiltNo }, { from, to }) =>
      changeNo === from
        ? { changeNo: to, rebuiltNo: rebuiltNo === changeNo ? to : rebuiltNo }
        : null,
  });
};

/**
 * Makes the next documents of an earlier release again; true: there are more. Searches go on meanwhile, and wait
 * only for the transaction that stores a part. Words that no note has any more are removed at the end: of a large company,
 * to look for those of each part takes longer than to store it, and in vain while other parts are stored.
 */
export const rebuildPart = async (
  deps: IndexerDeps,
  companyId: CompanyId,
  stopping: AbortSignal,
): Promise<boolean> => {
  const { db } = deps;
  const progress = await read(db, inIndexOrder(companyId), findSearchProgress);
  const { changeNo: upTo, rebuiltNo: after } = progress;
  if (after >= upTo) {
    await removeUnusedWords(db, companyId, stopping);
    return false;
  }
  const range = { after, upTo, withUnchanged: true, ...part };
  const notes = await read(db, inIndexOrder(companyId), (tx) => listNotesToIndex(tx, range));
  await storePart(deps, companyId, {
    notes,
    after,
    keepsWords: true,
    advance: ({ changeNo, rebuiltNo }, { from, to }) =>
      rebuiltNo === from ? { changeNo, rebuiltNo: notes.length > 0 ? to : upTo } : null,
  });
  return true;
};
