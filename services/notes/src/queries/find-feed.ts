import type { CompanyTx } from '@commonplace/db';
import { feedColumns, type FeedRow } from './feed-row.ts';

/** Reads where a company's feed stands; null before its first write. */
export const findFeed = async (tx: CompanyTx): Promise<FeedRow | null> => {
  const [row] = await tx.query<FeedRow>(
    `select ${feedColumns} from notes.company_feed f where f.company_id = $1`,
    [tx.companyId],
    'notes: find feed',
  );
  return row ?? null;
};
