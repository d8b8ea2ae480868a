import type { CompanyId } from '@commonplace/contracts/core';
import { readInIndexOrder, type Db } from '@commonplace/db';
import { assertCurrent, type SyncCursor } from '../rules/sync-cursor.ts';
import type { FeedRow } from '../queries/feed.ts';
import { listChanges, type Pull, type PullFrom } from '../queries/changes.ts';
import type { NoteRow } from '../queries/note-rows.ts';
import { ensureFeed } from '../feed/ensure-feed.ts';

export type PullRequest = {
  readonly companyId: CompanyId;
  /** Null: from the start. */
  readonly cursor: SyncCursor | null;
  readonly limit: number;
  /** Change numbers that the same answer reports already. */
  readonly known: readonly number[];
  /** The feed, as the push that this belongs to has just left it. */
  readonly feed?: FeedRow | null;
};

export type PulledPage = {
  readonly feed: FeedRow;
  readonly notes: readonly NoteRow[];
  readonly hasMore: boolean;
  readonly cursor: SyncCursor;
};

/** Bytes of notes in one answer, about. */
export const pageBytesMax = 4 * 1024 * 1024;

/** Reads one page of what changed since a cursor, and where the next one begins. */
export const pullChanges = async (db: Db, request: PullRequest): Promise<PulledPage> => {
  const { companyId, cursor } = request;
  // Most who have seen everything find nothing new: that is one look-up, which those who ask at the same
  // time share.
  if (cursor && cursor.snapshotHead === undefined) {
    const feed = request.feed ?? (await ensureFeed(db, companyId));
    if (isAllKnown(request, cursor, feed)) {
      return pageOf(request, { feed, notes: [], hasMore: false });
    }
  }
  return pullPage(db, request);
};

/** Every change has a number, so they need only be counted. */
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

/** Where the page begins that a request asks for. */
export const pullStart = ({ cursor, limit, known }: PullRequest): PullFrom => ({
  afterChangeNo: cursor?.changeNo ?? 0,
  tombstonesAfter: cursor ? (cursor.snapshotHead ?? 0) : null,
  known,
  limit,
  bytesMax: pageBytesMax,
});

/** What was read, for a cursor that fits it; 410 otherwise. */
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

/** After the last page the cursor stands at the head; a first pull under way remembers its beginning. */
export const nextCursor = (
  { companyId, cursor }: PullRequest,
  { feed, last }: { readonly feed: FeedRow; readonly last: Pick<NoteRow, 'changeNo'> | undefined },
): SyncCursor => {
  const changeNo = last?.changeNo ?? feed.head;
  const snapshotHead = cursor ? cursor.snapshotHead : feed.head;
  const isUnderWay = snapshotHead !== undefined && changeNo < snapshotHead;
  return {
    v: 1,
    company: companyId,
    epoch: feed.epoch,
    changeNo,
    ...(isUnderWay ? { snapshotHead } : {}),
  };
};
