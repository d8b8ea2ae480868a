import type { CompanyId } from '@commonplace/contracts/core';
import {
  readInIndexOrder,
  withCompanyInIndexOrder,
  type CompanyTx,
  type Db,
} from '@commonplace/db';
import { hasUnindexedNotes } from '../queries/has-unindexed-notes.ts';
import { indexNotes } from '../queries/index-notes.ts';
import { lockSearchProgress } from '../queries/lock-search-progress.ts';

/** Notes indexed in one transaction: about a tenth of a second. */
const chunk = 500;

/**
 * Brings the full text of a company up to date. Called before every search, so that a search sees
 * whatever was written before it, and some time after writes, so that it rarely has to wait.
 */
export const catchUpSearch = async (db: Db, companyId: CompanyId): Promise<void> => {
  if (!(await readInIndexOrder(db, companyId, hasUnindexedNotes))) {
    return;
  }
  const indexChunk = async (tx: CompanyTx): Promise<number> =>
    indexNotes(tx, { after: await lockSearchProgress(tx), limit: chunk });
  while ((await withCompanyInIndexOrder(db, companyId, indexChunk)) === chunk) {
    // The next chunk waits for nobody: the lock was given back with the COMMIT.
  }
};
