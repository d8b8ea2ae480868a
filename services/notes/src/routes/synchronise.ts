import type { CompanyId } from '@commonplace/contracts/core';
import type { Author, SyncRequest, SyncResult } from '@commonplace/contracts/notes';
import { addHiddenDeletions } from '../commands/add-hidden-deletions.ts';
import { pageBytesMax, pullChanges } from '../commands/pull-changes.ts';
import { pushChanges } from '../commands/push-changes.ts';
import { recallNotes } from '../commands/recall-notes.ts';
import { reportOutcomes } from '../commands/report-outcomes.ts';
import type { Deps } from '../deps.ts';
import { writeCursor, type SyncCursor } from '../policy/sync-cursor.ts';
import { presentChangeResult, presentSyncResult } from '../present/present-sync-result.ts';

export type Synchronisation = {
  readonly companyId: CompanyId;
  readonly author: Author;
  readonly body: Pick<SyncRequest, 'clientId' | 'limit' | 'onConflict' | 'changes'>;
  readonly cursor: SyncCursor | null;
};

/** One round trip: applies the changes, then reads what changed since the cursor, their effect included. */
export const synchronise = async (
  deps: Pick<Deps, 'db' | 'clock' | 'write'>,
  { companyId, author, body, cursor }: Synchronisation,
): Promise<SyncResult> => {
  const { clientId = '', limit, onConflict, changes } = body;
  const { pushed, feed } = await pushChanges(deps, {
    companyId,
    author,
    cursor,
    clientId,
    onConflict,
    changes,
  });
  const { results: reported, known } = reportOutcomes(
    await recallNotes(deps.db, companyId, pushed),
    pageBytesMax,
  );
  const results = reported.map(presentChangeResult);
  const pulled = await pullChanges(deps.db, { companyId, cursor, limit, known, feed });
  const answering = { companyId, cursor, results, known, page: pulled };
  const { notes, ...page } = await addHiddenDeletions(deps.db, answering);
  return presentSyncResult(notes, {
    ...page,
    results,
    cursor: writeCursor(page.cursor),
    at: deps.clock(),
  });
};
