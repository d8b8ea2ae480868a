import { newId, type CompanyId } from '@commonplace/contracts/core';
import { lookUpInCompany, withCompany, type Db } from '@commonplace/db';
import type { FeedRow } from '../queries/feed-row.ts';
import { findFeed } from '../queries/find-feed.ts';
import { insertFeed } from '../queries/insert-feed.ts';

/** Reads where a company's feed stands, and opens it on the company's first visit. */
export const readFeed = async (db: Db, companyId: CompanyId): Promise<FeedRow> => {
  const feed = await lookUpInCompany(db, companyId, findFeed);
  if (feed) {
    return feed;
  }
  await withCompany(db, companyId, (tx) => insertFeed(tx, newId()));
  return readFeed(db, companyId);
};
