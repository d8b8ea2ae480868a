import type { CompanyTx } from '@commonplace/db';
import { feedColumns, type FeedRow } from './feed-row.ts';

/**
 * Takes the lock that puts the writes of a company into one order, until COMMIT. Whatever must be
 * fresh is read by a later statement: this one sees the database as it was when it began to wait.
 */
export const lockFeed = async (tx: CompanyTx): Promise<FeedRow | null> => {
  const [row] = await tx.query<FeedRow>(
    `select ${feedColumns} from notes.company_feed f where f.company_id = $1 for no key update`,
    [tx.companyId],
    'notes: lock feed',
  );
  return row ?? null;
};
