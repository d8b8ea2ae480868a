import { readPartsInCompany, type Db } from '@commonplace/db';
import { assertCurrent } from '../rules/sync-cursor.ts';
import type { FeedRow } from '../queries/feed.ts';
import { streamChanges, type StreamedRow } from '../queries/changes.ts';
import type { NoteRowInJson } from '../queries/note-rows.ts';
import { pullStart, nextCursor, type PulledPage, type PullRequest } from './pull-changes.ts';
import { ensureFeed } from '../feed/ensure-feed.ts';

/** A page whose notes come as they are read. */
export type PullStream = {
  readonly parts: AsyncIterable<readonly NoteRowInJson[]>;
  /** The rest of the page; known when its last part was given. */
  readonly end: () => Omit<PulledPage, 'notes'> & { readonly returned: number };
};

type StreamState = {
  returned: number;
  hasMore: boolean;
  feed?: FeedRow | undefined;
  last?: NoteRowInJson | undefined;
};

/** Reads a page as `pullChanges` does, and gives its notes as they arrive. 410 comes before the first. */
export const openPullStream = (db: Db, request: PullRequest): PullStream => {
  const reading: StreamState = { returned: 0, hasMore: false };
  return { parts: partsOf(db, request, reading), end: () => endOf(request, reading) };
};

async function* partsOf(
  db: Db,
  request: PullRequest,
  reading: StreamState,
): AsyncGenerator<readonly NoteRowInJson[], void> {
  const { companyId, cursor } = request;
  const from = pullStart(request);
  for await (const rows of readPartsInCompany(db, companyId, (tx) => streamChanges(tx, from))) {
    if (!reading.feed) {
      reading.feed = feedOf(rows[0]);
      if (cursor && reading.feed) {
        assertCurrent(cursor, reading.feed);
      }
    }
    const notes = rows.filter((row) => row.isNextPage === false);
    reading.hasMore ||= rows.at(-1)?.isNextPage === true;
    reading.returned += notes.length;
    reading.last = notes.at(-1) ?? reading.last;
    if (notes.length > 0) {
      yield notes;
    }
  }
  if (!reading.feed) {
    await ensureFeed(db, companyId);
    yield* partsOf(db, request, reading);
  }
}

/** The feed, of the first row of a page; a company that nobody visited yet has no row. */
const feedOf = (first: StreamedRow | undefined): FeedRow | undefined => {
  if (first?.feed === null) {
    throw new Error('A page begins with its first note');
  }
  return first && (JSON.parse(first.feed) as FeedRow);
};

const endOf = (request: PullRequest, { returned, hasMore, feed, last }: StreamState) => {
  if (!feed) {
    throw new Error('A page ends when it was read');
  }
  const cursor = nextCursor(request, { feed, last: hasMore ? last : undefined });
  return { feed, hasMore, returned, cursor };
};
