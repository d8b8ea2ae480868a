import type { Reach } from '@commonplace/contracts/core';
import type { SyncChangeResult } from '@commonplace/contracts/notes';
import { inIndexOrder, read, type Db } from '@commonplace/db';
import type { SyncCursor } from '../rules/sync-cursor.ts';
import { listTombstones } from '../queries/changes.ts';
import type { PulledPage } from './pull-changes.ts';

/** A page, and the sync response it belongs to. */
export type PageContext = {
  readonly reach: Reach;
  readonly cursor: SyncCursor | null;
  readonly results: readonly SyncChangeResult[];
  readonly known: readonly number[];
  readonly page: PulledPage;
};

/**
 * Adds deletions of notes that the response reports as active, if no pull would include them. A first pull
 * leaves deletions out, and a replayed result may be of a note whose deletion the cursor has passed. Without
 * them the client would keep the note forever.
 */
export const addHiddenDeletions = async (
  db: Db,
  { reach, cursor, results, known, page }: PageContext,
): Promise<PulledPage> => {
  const ids = results
    .filter(({ replayed, status }) => status !== 'rejected' && (replayed || cursor === null))
    .map(({ id }) => id);
  if (ids.length === 0) {
    return page;
  }
  const wanted = { ids, upTo: page.feed.head, known };
  const tombstones = await read(db, inIndexOrder(reach), (tx) => listTombstones(tx, wanted));
  const included = new Set(page.notes.map(({ id }) => id));
  const hidden = tombstones.filter(({ id }) => !included.has(id));
  return {
    ...page,
    notes: [...hidden, ...page.notes].toSorted((a, b) => a.changeNo - b.changeNo),
  };
};
