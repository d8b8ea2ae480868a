import type { Reach } from '@commonplace/contracts/core';
import { inIndexOrder, read, type Db } from '@commonplace/db';
import { assertCurrent, positionAt, type SyncCursor } from '../rules/sync-cursor.ts';
import type { FeedRow } from '../queries/feed.ts';
import { listChanges, type Pull, type PullFrom } from '../queries/changes.ts';
import { hasContent, pageBytesMax, type NoteRow } from '../queries/note-rows.ts';
import { largePageBytes } from '../limits/work-limits.ts';
import type { Reading } from '../read/read-whole-note.ts';
import { ensureFeed } from '../feed/ensure-feed.ts';
import { withDepartures } from './with-departures.ts';

export type PullRequest = {
  readonly reach: Reach;
  /** Null: a first pull. */
  readonly cursor: SyncCursor | null;
  readonly limit: number;
  /** Change numbers covered by results of the same response. */
  readonly known: readonly number[];
  /** Of a stream: up to here nothing has left the folders that are seen, and the page ends there at the latest. */
  readonly upTo?: number | undefined;
  /** The feed after the push of the same request. */
  readonly feed?: FeedRow | null;
};

export type PulledPage = {
  readonly feed: FeedRow;
  readonly notes: readonly NoteRow[];
  readonly hasMore: boolean;
  readonly cursor: SyncCursor;
};

/** Reads one page of what changed since a cursor, and where the next one begins. Large pages are limited. */
export const pullChanges = async (deps: Reading, request: PullRequest): Promise<PulledPage> => {
  const { reach, cursor } = request;
  // Most up-to-date clients find nothing new. That costs one lookup, which concurrent requests share.
  if (cursor && cursor.snapshotHead === undefined) {
    const feed = request.feed ?? (await ensureFeed(deps.db, reach.companyId));
    if (isAllKnown(request, cursor, feed)) {
      return pageOf(request, { feed, notes: [], hasMore: false });
    }
  }
  return pullPage(deps, request);
};

/** Change numbers have no gaps, so counting suffices. */
const isAllKnown = ({ known }: PullRequest, { changeNo }: SyncCursor, { head }: FeedRow): boolean =>
  head - changeNo === new Set(known.filter((each) => each > changeNo && each <= head)).size;

const pullPage = async (deps: Reading, request: PullRequest): Promise<PulledPage> => {
  const page = await readUpToLarge(deps.db, request);
  return typeof page === 'number'
    ? deps.reader.read(page, () => readWhole(deps.db, request))
    : page;
};

/**
 * Returns a large page as its bytes only, so that a request that waits for a slot holds no content. A page may be large by what is
 * not content, such as properties.
 */
const readUpToLarge = async (db: Db, request: PullRequest): Promise<PulledPage | number> => {
  const pull = await readPull(db, request, largePageBytes);
  return isWhole(pull)
    ? pageOf(request, pull)
    : Math.max(
        largePageBytes,
        pull.notes.reduce((bytes, { size }) => bytes + size, 0),
      );
};

const readWhole = async (db: Db, request: PullRequest): Promise<PulledPage> => {
  const pull = await readPull(db, request);
  if (!isWhole(pull)) {
    throw new Error('A page was read without its content');
  }
  return pageOf(request, pull);
};

const isWhole = (pull: Pull): pull is Pull<NoteRow> => pull.notes.every(hasContent);

const readPull = async (db: Db, request: PullRequest, contentBytesMax?: number): Promise<Pull> => {
  const { reach } = request;
  const pull = await read(db, inIndexOrder(reach), async (tx) => {
    const from = pullStart(request);
    const changes = await listChanges(tx, from, contentBytesMax);
    return changes && reach.folders ? withDepartures(tx, from, changes) : changes;
  });
  if (!pull) {
    await ensureFeed(db, reach.companyId);
    return readPull(db, request, contentBytesMax);
  }
  return pull;
};

/** Where the requested page begins. */
export const pullStart = ({ cursor, limit, known }: PullRequest): PullFrom => ({
  afterChangeNo: cursor?.changeNo ?? 0,
  tombstonesAfter: cursor ? (cursor.snapshotHead ?? 0) : null,
  known,
  limit,
  bytesMax: pageBytesMax,
});

/** What was read, for a cursor that fits it; 410 otherwise. */
const pageOf = (request: PullRequest, { feed, notes, hasMore }: Pull<NoteRow>): PulledPage => {
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
  { reach, cursor, upTo = Infinity }: PullRequest,
  { feed, last }: { readonly feed: FeedRow; readonly last: Pick<NoteRow, 'changeNo'> | undefined },
): SyncCursor => {
  const changeNo = Math.min(last?.changeNo ?? feed.head, upTo);
  const snapshotHead = cursor ? cursor.snapshotHead : feed.head;
  const isInProgress = snapshotHead !== undefined && changeNo < snapshotHead;
  return {
    ...positionAt(reach, feed.epoch, changeNo),
    ...(isInProgress ? { snapshotHead } : {}),
  };
};
