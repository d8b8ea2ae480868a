import type { SyncReport } from '@commonplace/client';
import type { SyncSummary } from './sync-summary.ts';

/** Statuses of changes that the server has taken. Of one that is `unchanged` it had the text already. */
const takenStatuses: ReadonlySet<string> = new Set(['applied', 'merged', 'restored', 'conflict']);

/**
 * Counts what the server has taken, by its results: edits of files may be refused, or become proposals, and a restored
 * server gets what nobody has edited. `movedIds` are notes whose files were moved.
 */
export const countSent = (
  summary: Pick<SyncSummary, 'sent' | 'moved' | 'merged' | 'newlyProposed'>,
  { events }: Pick<SyncReport, 'events'>,
  movedIds: ReadonlySet<string>,
): void => {
  const { sent } = summary;
  for (const { id, status, isDeletion, isCreation } of events) {
    const isTaken = takenStatuses.has(status);
    const isMove = isTaken && !isDeletion && !isCreation && movedIds.has(id);
    const isChange = isTaken && !isDeletion && !isCreation && !isMove;
    sent.deleted += isTaken && isDeletion ? 1 : 0;
    sent.created += isTaken && isCreation ? 1 : 0;
    sent.changed += isChange ? 1 : 0;
    summary.moved += isMove ? 1 : 0;
    summary.merged += status === 'merged' ? 1 : 0;
    summary.newlyProposed += status === 'proposed' ? 1 : 0;
  }
};
