import type { CompanyId } from '@commonplace/contracts/core';
import type { Db } from '@commonplace/db';
import { assertCurrent, type SyncCursor } from '../policy/sync-cursor.ts';
import { readFeed } from './read-feed.ts';

/** Answers 410 for a cursor of no use, before anything is applied. */
export const assertCursorCurrent = async (
  db: Db,
  companyId: CompanyId,
  cursor: SyncCursor | null,
): Promise<void> => {
  if (cursor) {
    assertCurrent(cursor, await readFeed(db, companyId));
  }
};
