import type { CompanyId } from '@commonplace/contracts/core';
import {
  readInIndexOrder,
  withCompanyInIndexOrder,
  type CompanyTx,
  type Db,
} from '@commonplace/db';
import { hasUnindexedNotes, indexNotes, lockSearchProgress } from '../queries/search.ts';

/**
 * Limits of one indexing transaction. Short notes take about 0.1 s, large ones 0.5 s; 500 of the largest in one
 * statement would exceed the statement timeout.
 */
const part = { limit: 500, bytesMax: 4 * 1024 * 1024 } as const;

/**
 * Brings the full-text index of a company up to date. Called before every search, so that a search sees every
 * earlier write, and some time after writes, so that searches rarely wait for it.
 */
export const indexPendingNotes = async (db: Db, companyId: CompanyId): Promise<void> => {
  if (!(await readInIndexOrder(db, companyId, hasUnindexedNotes))) {
    return;
  }
  while (await withCompanyInIndexOrder(db, companyId, indexPart)) {
    // Each part commits, which releases the lock.
  }
};

/** Indexes the next part; true if more may be pending. */
const indexPart = async (tx: CompanyTx): Promise<boolean> =>
  indexNotes(tx, { after: await lockSearchProgress(tx), ...part });
