import type {
  SyncChange,
  SyncChangeResult,
  SyncResult,
  SyncStatus,
} from '@commonplace/contracts/notes';
import type { NoteRow, StoredNote } from '../queries/note-rows.ts';
import { presentChange, presentNote } from './present-note.ts';

/** What became of a change, as a command tells it. */
type Outcome = {
  readonly status: SyncStatus;
  readonly revision: number | null;
  readonly note: StoredNote | null;
  readonly conflictNoteId: SyncChangeResult['conflictNoteId'] | null;
  readonly isReplay: boolean;
  readonly error: SyncChangeResult['error'] | null;
};

type Reported = {
  readonly change: Pick<SyncChange, 'mutationId' | 'id'>;
  readonly outcome: Outcome;
  readonly isNoteShown: boolean;
};

/** What became of one change, as the contract has it. */
export const presentChangeResult = ({
  change: { mutationId, id },
  outcome,
  isNoteShown,
}: Reported): SyncChangeResult => {
  const { status, revision, note, conflictNoteId, isReplay, error } = outcome;
  return {
    mutationId,
    id,
    status,
    revision,
    ...(isReplay ? { replayed: true as const } : {}),
    ...(note && isNoteShown && isWhole(note) ? { note: presentNote(note) } : {}),
    ...(conflictNoteId ? { conflictNoteId } : {}),
    ...(error ? { error } : {}),
  };
};

const isWhole = (note: StoredNote): note is NoteRow => note.content !== null;

/** How an answer ends: all of it but the notes. */
export type SyncEnd = {
  readonly results: readonly SyncChangeResult[];
  readonly feed: { readonly liveCount: number; readonly digest: string };
  readonly hasMore: boolean;
  /** Notes in the answer. */
  readonly returned: number;
  readonly cursor: string;
  readonly at: Date;
};

/** The answer to one round trip. */
export const presentSyncResult = (
  notes: readonly NoteRow[],
  end: Omit<SyncEnd, 'returned'>,
): SyncResult => ({
  changes: notes.map(presentChange),
  ...presentSyncEnd({ ...end, returned: notes.length }),
});

/** The answer to one round trip, but for its notes. */
export const presentSyncEnd = (end: SyncEnd): Omit<SyncResult, 'changes'> => {
  const { results, feed, hasMore, returned, cursor, at } = end;
  const count = (status: SyncStatus) => results.filter((result) => result.status === status).length;
  return {
    results: [...results],
    cursor,
    hasMore,
    ...(hasMore ? {} : { integrity: { count: feed.liveCount, digest: feed.digest } }),
    counts: {
      applied: count('applied'),
      merged: count('merged'),
      restored: count('restored'),
      conflicts: count('conflict'),
      unchanged: count('unchanged'),
      rejected: count('rejected'),
      returned,
    },
    serverTime: at.toISOString(),
  };
};
