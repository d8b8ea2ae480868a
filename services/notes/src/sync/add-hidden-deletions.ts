import type { CompanyId } from '@commonplace/contracts/core';
import type { SyncChangeResult } from '@commonplace/contracts/notes';
import { readInIndexOrder, type Db } from '@commonplace/db';
import type { SyncCursor } from '../rules/sync-cursor.ts';
import { listTombstones } from '../queries/changes.ts';
import type { PulledPage } from './pull-changes.ts';

/** A page, and the answer that it goes into. */
export type Answering = {
  readonly companyId: CompanyId;
  readonly cursor: SyncCursor | null;
  readonly results: readonly SyncChangeResult[];
  readonly known: readonly number[];
  readonly page: PulledPage;
};

/**
 * Adds to a page the deletions of notes that its answer reports as living, where no pull would bring
 * them: a first pull leaves deletions out, and an old result that is given again may be of a note whose
 * deletion the cursor has passed, or a first pull has left out. Without them the client would keep the
 * note for ever. A note that lives needs nothing of the kind: its client has the newer revision.
 */
export const addHiddenDeletions = async (
  db: Db,
  { companyId, cursor, results, known, page }: Answering,
): Promise<PulledPage> => {
  const ids = results
    .filter(({ replayed, status }) => status !== 'rejected' && (replayed || cursor === null))
    .map(({ id }) => id);
  if (ids.length === 0) {
    return page;
  }
  const wanted = { ids, upTo: page.feed.head, known };
  const tombstones = await readInIndexOrder(db, companyId, (tx) => listTombstones(tx, wanted));
  const there = new Set(page.notes.map(({ id }) => id));
  const hidden = tombstones.filter(({ id }) => !there.has(id));
  return {
    ...page,
    notes: [...hidden, ...page.notes].toSorted((a, b) => a.changeNo - b.changeNo),
  };
};
