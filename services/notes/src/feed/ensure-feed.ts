import { newId, type CompanyId } from '@commonplace/contracts/core';
import { lookup, write, type Db } from '@commonplace/db';
import { findFeed, insertFeed, type FeedRow } from '../queries/feed.ts';
import { assertCurrent, type SyncCursor } from '../rules/sync-cursor.ts';

/** Returns the feed of a company; creates it on first use. */
export const ensureFeed = async (db: Db, companyId: CompanyId): Promise<FeedRow> => {
  const feed = await lookup(db, companyId, findFeed);
  if (feed) {
    return feed;
  }
  await write(db, companyId, (tx) => insertFeed(tx, newId()));
  return ensureFeed(db, companyId);
};

/** The head of a company's feed; 0 before its first write. */
export const readHead = async (db: Db, companyId: CompanyId): Promise<number> =>
  (await lookup(db, companyId, findFeed))?.head ?? 0;

/** Throws 410 for an expired cursor, before anything is applied. */
export const assertCursorCurrent = async (
  db: Db,
  companyId: CompanyId,
  cursor: SyncCursor | null,
): Promise<void> => {
  if (cursor) {
    assertCurrent(cursor, await ensureFeed(db, companyId));
  }
};
