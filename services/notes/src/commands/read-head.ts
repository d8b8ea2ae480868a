import type { CompanyId } from '@commonplace/contracts/core';
import { lookUpInCompany, type Db } from '@commonplace/db';
import { findFeed } from '../queries/find-feed.ts';

/** Where a company's feed stands; 0 before its first write. */
export const readHead = async (db: Db, companyId: CompanyId): Promise<number> =>
  (await lookUpInCompany(db, companyId, findFeed))?.head ?? 0;
