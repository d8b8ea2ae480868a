import { stream, type Db } from '@commonplace/db';
import { assertCurrent } from '../rules/sync-cursor.ts';
import type { FeedRow } from '../queries/feed.ts';
import { streamChanges, type StreamedRow } from '../queries/changes.ts';
import type { NoteRowInJson } from '../queries/note-rows.ts';
import { pullStart, nextCursor, type PulledPage, type PullRequest } from './pull-changes.ts';
import { ensureFeed } from '../feed/ensure-feed.ts';

/** A page whose notes are streamed. */
export type PullStream = {
  readonly parts: AsyncIterable<readonly NoteRowInJson[]>;
  /** The rest of the page. Available after the last part. */
  readonly end: () => Omit<PulledPage, 'notes'> & { readonly returned: number };
};

type StreamState = {
  returned: number;
  hasMore: boolean;
  feed?: FeedRow | undefined;
  last?: NoteRowInJson | undefined;
};

/** As `pullChanges`, streamed. Throws 410 before the first part. */
export const openPullStream = (db: Db, request: PullRequest): PullStream => {
  const state: StreamState = { returned: 0, hasMore: false };
  return { parts: partsOf(db, request, state), end: () => endOf(request, state) };
};

async function* partsOf(
  db: Db,
  request: PullRequest,
  state: StreamState,
): AsyncGenerator<readonly NoteRowInJson[], void> {
  const { reach, cursor } = request;
  const from = pullStart(request);
  for await (const rows of stream(db, reach, (tx) => streamChanges(tx, from))) {
    if (!state.feed) {
      state.feed = feedOf(rows[0]);
      if (cursor && state.feed) {
        assertCurrent(cursor, state.feed);
      }
    }
    const notes = rows.filter((row) => row.isNextPage === false);
    state.hasMore ||= rows.at(-1)?.isNextPage === true;
    state.returned += notes.length;
    state.last = notes.at(-1) ?? state.last;
    if (notes.length > 0) {
      yield notes;
    }
  }
  if (!state.feed) {
    await ensureFeed(db, reach.companyId);
    yield* partsOf(db, request, state);
  }
}

/** The feed in the first row of a page; undefined: the company has no feed yet. */
const feedOf = (first: StreamedRow | undefined): FeedRow | undefined => {
  if (first?.feed === null) {
    throw new Error('The first row of a page has no feed');
  }
  return first && (JSON.parse(first.feed) as FeedRow);
};

const endOf = (request: PullRequest, { returned, hasMore, feed, last }: StreamState) => {
  if (!feed) {
    throw new Error('The page is not completely read');
  }
  const cursor = nextCursor(request, { feed, last: hasMore ? last : undefined });
  return { feed, hasMore: hasMore || cursor.changeNo < feed.head, returned, cursor };
};
