import type { CompanyId } from '@commonplace/contracts/core';
import {
  readInIndexOrder,
  withCompanyInIndexOrder,
  type CompanyTx,
  type Db,
} from '@commonplace/db';
import { hasUnindexedNotes, indexNotes, lockSearchProgress } from '../queries/search.ts';

/**
 * What is indexed in one transaction: notes of a few lines take about a tenth of a second, large ones half of one.
 * 500 of the largest in one statement would take longer than a statement may.
 */
const part = { limit: 500, bytesMax: 4 * 1024 * 1024 } as const;

/**
 * Brings the full text of a company up to date. Called before every search, so that a search sees
 * whatever was written before it, and some time after writes, so that it rarely has to wait.
 */
export const indexPendingNotes = async (db: Db, companyId: CompanyId): Promise<void> => {
  if (!(await readInIndexOrder(db, companyId, hasUnindexedNotes))) {
    return;
  }
  while (await withCompanyInIndexOrder(db, companyId, indexPart)) {
    // The next part waits for nobody: the lock was given back with the COMMIT.
  }
};

/** True when more may be left. */
const indexPart = async (tx: CompanyTx): Promise<boolean> =>
  indexNotes(tx, { after: await lockSearchProgress(tx), ...part });
