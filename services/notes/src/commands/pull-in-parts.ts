import { readPartsInCompany, type Db } from '@commonplace/db';
import { assertCurrent } from '../policy/sync-cursor.ts';
import { listChangesInParts } from '../queries/list-changes-in-parts.ts';
import type { PulledRow } from '../queries/list-changes.ts';
import type { NoteRow } from '../queries/note-row.ts';
import { beginningOf, nextCursor, type PulledPage, type PullRequest } from './pull-changes.ts';
import { readFeed } from './read-feed.ts';

/** A page whose notes come as they are read. */
export type PageInParts = {
  readonly parts: AsyncIterable<readonly NoteRow[]>;
  /** The rest of the page; known when its last part was given. */
  readonly end: () => Omit<PulledPage, 'notes'> & { readonly returned: number };
};

type Reading = { returned: number; feed?: PulledRow | undefined; last?: NoteRow | undefined };

/** Reads a page as `pullChanges` does, and gives its notes as they arrive. 410 comes before the first. */
export const pullInParts = (db: Db, request: PullRequest): PageInParts => {
  const reading: Reading = { returned: 0 };
  return { parts: partsOf(db, request, reading), end: () => endOf(request, reading) };
};

async function* partsOf(
  db: Db,
  request: PullRequest,
  reading: Reading,
): AsyncGenerator<readonly NoteRow[], void> {
  const { companyId, cursor } = request;
  const from = beginningOf(request);
  for await (const rows of readPartsInCompany(db, companyId, (tx) =>
    listChangesInParts(tx, from),
  )) {
    const [first] = rows;
    if (cursor && first && !reading.feed) {
      assertCurrent(cursor, { ...first, companyId });
    }
    reading.feed ??= first;
    // Without changes the one row holds the feed alone.
    if (first && first.id !== null) {
      reading.returned += rows.length;
      reading.last = rows.at(-1);
      yield rows;
    }
  }
  if (!reading.feed) {
    await readFeed(db, companyId);
    yield* partsOf(db, request, reading);
  }
}

const endOf = (request: PullRequest, { returned, feed, last }: Reading) => {
  if (!feed) {
    throw new Error('A page ends when it was read');
  }
  const hasMore = returned < feed.candidates;
  const cursor = nextCursor(request, { feed, last: hasMore ? last : undefined });
  return { feed, hasMore, returned, cursor };
};
