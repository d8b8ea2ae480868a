import type { SyncResult } from '@commonplace/contracts/notes';
import type { BodyInParts } from '@commonplace/http';
import type { PullRequest } from '../commands/pull-changes.ts';
import { pullInParts } from '../commands/pull-in-parts.ts';
import { inTurn } from '../commands/turns.ts';
import type { Deps } from '../deps.ts';
import { writeCursor } from '../policy/sync-cursor.ts';
import { presentSyncEnd } from '../present/present-sync-result.ts';
import { writeChange } from '../present/write-change.ts';
import type { NoteRowInJson } from '../queries/note-row.ts';

/**
 * A page for a client that has not seen everything yet. Its notes leave while others are still read:
 * database, service, gateway and client work at the same time, and not one after the other.
 */
export const pullEverything = (
  { db, clock, takeTurn }: Pick<Deps, 'db' | 'clock' | 'takeTurn'>,
  request: Omit<PullRequest, 'known'>,
): BodyInParts<SyncResult, 'changes'> => {
  const { parts, end } = pullInParts(db, { ...request, known: [] });
  return {
    list: 'changes',
    parts: written(inTurn(takeTurn, request.companyId, parts)),
    rest: () => {
      const page = end();
      return presentSyncEnd({
        ...page,
        results: [],
        cursor: writeCursor(page.cursor),
        at: clock(),
      });
    },
  };
};

async function* written(parts: AsyncIterable<readonly NoteRowInJson[]>) {
  for await (const notes of parts) {
    yield notes.map(writeChange);
  }
}
