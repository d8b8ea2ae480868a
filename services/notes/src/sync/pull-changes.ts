import type { CompanyId } from '@commonplace/contracts/core';
import { readInIndexOrder, type Db } from '@commonplace/db';
import { assertCurrent, type SyncCursor } from '../rules/sync-cursor.ts';
import type { FeedRow } from '../queries/feed.ts';
import { listChanges, type Pull, type PullFrom } from '../queries/changes.ts';
import type { NoteRow } from '../queries/note-rows.ts';
import { ensureFeed } from '../feed/ensure-feed.ts';

export type PullRequest = {
  readonly companyId: CompanyId;
  /** Null: a first pull. */
  readonly cursor: SyncCursor | null;
  readonly limit: number;
  /** Change numbers covered by results of the same response. */
  readonly known: readonly number[];
  /** The feed after the push of the same request. */
  readonly feed?: FeedRow | null;
};

export type PulledPage = {
  readonly feed: FeedRow;
  readonly notes: readonly NoteRow[];
  readonly hasMore: boolean;
  readonly cursor: SyncCursor;
};

/** Approximate bytes of notes in one response. */
export const pageBytesMax = 4 * 1024 * 1024;

/** Reads one page of changes since a cursor, with the cursor of the next page. Throws 410. */
export const pullChanges = async (db: Db, request: PullRequest): Promise<PulledPage> => {
  const { companyId, cursor } = request;
  // Most up-to-date clients find nothing new. That costs one lookup, which concurrent requests share.
  if (cursor && cursor.snapshotHead === undefined) {
    const feed = request.feed ?? (await ensureFeed(db, companyId));
    if (isAllKnown(request, cursor, feed)) {
      return pageOf(request, { feed, notes: [], hasMore: false });
    }
  }
  return pullPage(db, request);
};

/** Change numbers have no gaps, so counting suffices. */
const isAllKnown = ({ known }: PullRequest, { changeNo }: SyncCursor, { head }: FeedRow): boolean =>
  head - changeNo === new Set(known.filter((each) => each > changeNo && each <= head)).size;

const pullPage = async (db: Db, request: PullRequest): Promise<PulledPage> => {
  const { companyId } = request;
  const pull = await readInIndexOrder(db, companyId, (tx) => listChanges(tx, pullStart(request)));
  if (!pull) {
    await ensureFeed(db, companyId);
    return pullPage(db, request);
  }
  return pageOf(request, pull);
};

/** The query of the requested page. */
export const pullStart = ({ cursor, limit, known }: PullRequest): PullFrom => ({
  afterChangeNo: cursor?.changeNo ?? 0,
  tombstonesAfter: cursor ? (cursor.snapshotHead ?? 0) : null,
  known,
  limit,
  bytesMax: pageBytesMax,
});

/** The page with its next cursor. Throws 410 if the request's cursor has expired. */
const pageOf = (request: PullRequest, { feed, notes, hasMore }: Pull): PulledPage => {
  const { cursor } = request;
  if (cursor) {
    assertCurrent(cursor, feed);
  }
  return {
    feed,
    notes,
    hasMore,
    cursor: nextCursor(request, { feed, last: hasMore ? notes.at(-1) : undefined }),
  };
};

/** The cursor after a page: at the head after the last one. A first pull in progress keeps its `snapshotHead`. */
export const nextCursor = (
  { companyId, cursor }: PullRequest,
  { feed, last }: { readonly feed: FeedRow; readonly last: Pick<NoteRow, 'changeNo'> | undefined },
): SyncCursor => {
  const changeNo = last?.changeNo ?? feed.head;
  const snapshotHead = cursor ? cursor.snapshotHead : feed.head;
  const isInProgress = snapshotHead !== undefined && changeNo < snapshotHead;
  return {
    v: 1,
    company: companyId,
    epoch: feed.epoch,
    changeNo,
    ...(isInProgress ? { snapshotHead } : {}),
  };
};
