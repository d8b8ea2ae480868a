import { stayOnNode, type CompanyTx, type GlobalTx } from '@commonplace/db';
import type { CompanyId } from '@commonplace/contracts/core';

/** A row of notes.company_feed: the head of a company's changes, and count and digest of its active notes. */
export type FeedRow = {
  readonly epoch: string;
  readonly head: number;
  readonly floor: number;
  readonly liveCount: number;
  readonly digest: string;
};

export const feedColumns = 'f.epoch, f.head, f.floor, f.live_count as "liveCount", f.digest';

/** The feed of a company; null before its first write. */
export const findFeed = async (tx: CompanyTx): Promise<FeedRow | null> => {
  const [row] = await tx.query<FeedRow>(
    `select ${feedColumns} from notes.company_feed f where f.company_id = $1`,
    [tx.companyId],
    'notes.find-feed',
  );
  return row ?? null;
};

/** Creates the feed of a company, unless it exists. Safe to run concurrently. */
export const insertFeed = async (tx: CompanyTx, epoch: string): Promise<void> => {
  await tx.query(
    `insert into notes.company_feed (company_id, epoch) values ($1, $2)
     on conflict (company_id) do nothing`,
    [tx.companyId, epoch],
  );
};

/**
 * Locks the feed until COMMIT, which serializes the writes of a company. Read whatever must be fresh in a later
 * statement: this one sees the database as it was when it started to wait.
 */
export const lockFeed = async (tx: CompanyTx): Promise<FeedRow | null> => {
  const [, [row]] = await Promise.all([
    stayOnNode(tx, 'notes.company_feed'),
    tx.query<FeedRow>(
      `select ${feedColumns} from notes.company_feed f where f.company_id = $1 for no key update`,
      [tx.companyId],
      'notes.lock-feed',
    ),
  ]);
  return row ?? null;
};

/** As `lockFeed`, without waiting; false: a write is in progress. */
export const tryLockFeed = async (tx: CompanyTx): Promise<boolean> => {
  const [, rows] = await Promise.all([
    stayOnNode(tx, 'notes.company_feed'),
    tx.query(
      `select f.company_id from notes.company_feed f
       where f.company_id = $1 for no key update skip locked`,
      [tx.companyId],
    ),
  ]);
  return rows.length > 0;
};

/** Updates the feed, under its lock. */
export const updateFeed = async (
  tx: CompanyTx,
  feed: Pick<FeedRow, 'head' | 'liveCount' | 'digest'>,
): Promise<void> => {
  await tx.query(
    `update notes.company_feed set head = $2, live_count = $3, digest = $4 where company_id = $1`,
    [tx.companyId, feed.head, feed.liveCount, feed.digest],
    'notes.update-feed',
  );
};

export type HeadRow = { readonly companyId: CompanyId; readonly head: number };

/** The heads of these companies; companies without a feed are left out. */
export const listHeads = (tx: GlobalTx, ids: readonly CompanyId[]): Promise<HeadRow[]> =>
  tx.query<HeadRow>(
    'select h.company_id as "companyId", h.head from notes.heads_of($1::uuid[]) h',
    [ids],
  );

/** Every company with a feed. */
export const listCompanies = async (tx: GlobalTx): Promise<CompanyId[]> => {
  const rows = await tx.query<{ id: CompanyId }>(
    'select c.id from notes.list_companies() as c (id)',
  );
  return rows.map(({ id }) => id);
};
