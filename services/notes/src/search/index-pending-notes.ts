import { createLimiter } from '@commonplace/concurrency';
import { AppError, type CompanyId } from '@commonplace/contracts/core';
import {
  readInIndexOrder,
  withCompany,
  withCompanyInIndexOrder,
  type CompanyTx,
  type Db,
} from '@commonplace/db';
import {
  findSearchProgress,
  findSearchState,
  listNotesToIndex,
  lockSearchProgress,
  updateSearchProgress,
  upsertDocuments,
  type NoteToIndex,
  type SearchProgress,
} from '../queries/search-index.ts';
import { insertWords } from '../queries/search-words.ts';
import type { BuildDocuments } from './text/document-thread.ts';
import type { SearchDocument } from './text/search-document.ts';

/**
 * Limits of one part: 500 short notes take about 0.1 s, a megabyte of different words 3 s, which keeps the thread
 * from other companies.
 */
const part = { limit: 500, bytesMax: 1024 * 1024 } as const;

/** Batches in memory: one is built while another one is read or stored. */
const runningMax = 2;

export type IndexerDeps = { readonly db: Db; readonly buildDocuments: BuildDocuments };

/** Brings the index of a company up to date; true: it still has documents of an earlier release. */
export type IndexPendingNotes = (companyId: CompanyId) => Promise<boolean>;

/**
 * Creates the indexing of what changed. It is called before every search, so that a search sees every earlier write,
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

  return async (companyId) => {
    // Changes made meanwhile may wait, or a search beside many writes would not end.
    let wantedNo = Infinity;
    for (;;) {
      const state = await readInIndexOrder(deps.db, companyId, findSearchState);
      wantedNo = Math.min(wantedNo, state.newestNo);
      if (state.indexedNo >= wantedNo) {
        return state.isRebuilding;
      }
      await indexShared(companyId);
    }
  };
};

/** Indexes the next notes that changed. */
const indexPart = async (deps: IndexerDeps, companyId: CompanyId): Promise<void> => {
  const { db } = deps;
  const { changeNo: after } = await readInIndexOrder(db, companyId, findSearchProgress);
  const range = { after, upTo: null, ...part };
  const notes = await withCompanyInIndexOrder(db, companyId, (tx) => listNotesToIndex(tx, range));
  const last = notes.at(-1)?.changeNo;
  if (last === undefined) {
    return;
  }
  await storePart(deps, companyId, {
    notes,
    advance: ({ changeNo, rebuiltNo }) =>
      changeNo === after
        ? { changeNo: last, rebuiltNo: rebuiltNo === after ? last : rebuiltNo }
        : null,
  });
};

/**
 * Makes the next documents of an earlier release anew; true: there are more. Searches go on meanwhile, and wait
 * only for the transaction that stores a part.
 */
export const rebuildPart = async (deps: IndexerDeps, companyId: CompanyId): Promise<boolean> => {
  const { db } = deps;
  const progress = await readInIndexOrder(db, companyId, findSearchProgress);
  const { changeNo: upTo, rebuiltNo: after } = progress;
  if (after >= upTo) {
    return false;
  }
  const range = { after, upTo, ...part };
  const notes = await withCompanyInIndexOrder(db, companyId, (tx) => listNotesToIndex(tx, range));
  const last = notes.at(-1)?.changeNo ?? upTo;
  await storePart(deps, companyId, {
    notes,
    advance: ({ changeNo, rebuiltNo }) =>
      rebuiltNo === after ? { changeNo, rebuiltNo: last } : null,
  });
  return true;
};

type Part = {
  readonly notes: readonly NoteToIndex[];
  /** The progress after this part; null: another process stored it. */
  readonly advance: (now: SearchProgress) => SearchProgress | null;
};

/** Builds documents outside the transaction, because that takes longer than storing them. */
const storePart = async (
  { db, buildDocuments }: IndexerDeps,
  companyId: CompanyId,
  { notes, advance }: Part,
): Promise<void> => {
  const documents = notes.length > 0 ? await buildDocuments(companyId, notes) : [];
  await withCompany(db, companyId, async (tx: CompanyTx) => {
    const next = advance(await lockSearchProgress(tx));
    if (next) {
      await storeDocuments(tx, notes, documents);
      await updateSearchProgress(tx, next);
    }
  });
};

const storeDocuments = async (
  tx: CompanyTx,
  notes: readonly NoteToIndex[],
  documents: readonly SearchDocument[],
): Promise<void> => {
  const indexed = notes.map(({ id, changeNo }, index) => ({
    id,
    changeNo,
    document: documents[index]?.document ?? '',
  }));
  const words = new Set(documents.flatMap((document) => document.words));
  await upsertDocuments(tx, indexed);
  await insertWords(tx, [...words].toSorted());
};
