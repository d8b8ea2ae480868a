import type { CompanyTx } from '@commonplace/db';
import type { FeedRow } from './feed-row.ts';

/** Moves the feed on, under its lock. */
export const updateFeed = async (
  tx: CompanyTx,
  feed: Pick<FeedRow, 'head' | 'liveCount' | 'digest'>,
): Promise<void> => {
  await tx.query(
    `update notes.company_feed set head = $2, live_count = $3, digest = $4 where company_id = $1`,
    [tx.companyId, feed.head, feed.liveCount, feed.digest],
    'notes: update feed',
  );
};
