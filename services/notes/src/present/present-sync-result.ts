import type {
  SyncChange,
  SyncChangeResult,
  SyncResult,
  SyncStatus,
} from '@commonplace/contracts/notes';
import type { NoteRow, StoredNote } from '../queries/note-rows.ts';
import { presentChange, presentNote } from './present-note.ts';

/** The outcome of a change, as the write path returns it. */
type Outcome = {
  readonly status: SyncStatus;
  readonly revision: number | null;
  readonly note: StoredNote | null;
  readonly conflictNoteId: SyncChangeResult['conflictNoteId'] | null;
  readonly isReplay: boolean;
  readonly proposal?: { readonly id: NonNullable<SyncChangeResult['proposalId']> };
  readonly error: SyncChangeResult['error'] | null;
};

type ChangeReport = {
  readonly change: Pick<SyncChange, 'mutationId' | 'id'>;
  readonly outcome: Outcome;
  readonly isNoteShown: boolean;
};

/** The result of one change in the format of the contract. */
export const presentChangeResult = ({
  change: { mutationId, id },
  outcome,
  isNoteShown,
}: ChangeReport): SyncChangeResult => {
  const { status, revision, note, conflictNoteId, isReplay, proposal, error } = outcome;
  return {
    mutationId,
    id,
    status,
    revision,
    ...(isReplay ? { replayed: true as const } : {}),
    ...(note && isNoteShown && isWhole(note) ? { note: presentNote(note) } : {}),
    ...(conflictNoteId ? { conflictNoteId } : {}),
    ...(proposal ? { proposalId: proposal.id } : {}),
    ...(error ? { error } : {}),
  };
};

const isWhole = (note: StoredNote): note is NoteRow => note.content !== null;

/** Everything in a sync response but the notes. */
export type SyncEnd = {
  readonly results: readonly SyncChangeResult[];
  readonly feed: { readonly epoch: string; readonly liveCount: number; readonly digest: string };
  readonly hasMore: boolean;
  /** Number of notes in the response. */
  readonly returned: number;
  readonly cursor: string;
  /** Part of the notes is hidden from the caller: count and digest would be of all. */
  readonly isConfined: boolean;
  readonly at: Date;
};

/** The response of one sync. */
export const presentSyncResult = (
  notes: readonly StoredNote[],
  end: Omit<SyncEnd, 'returned'>,
): SyncResult => ({
  changes: notes.map(presentChange),
  ...presentSyncEnd({ ...end, returned: notes.length }),
});

/** The response of one sync, without its notes. */
export const presentSyncEnd = (end: SyncEnd): Omit<SyncResult, 'changes'> => {
  const { results, feed, hasMore, returned, cursor, isConfined, at } = end;
  const count = (status: SyncStatus) => results.filter((result) => result.status === status).length;
  return {
    results: [...results],
    cursor,
    hasMore,
    epoch: feed.epoch,
    ...(hasMore || isConfined ? {} : { integrity: { count: feed.liveCount, digest: feed.digest } }),
    counts: {
      applied: count('applied'),
      merged: count('merged'),
      restored: count('restored'),
      conflicts: count('conflict'),
      unchanged: count('unchanged'),
      rejected: count('rejected'),
      ...(count('proposed') > 0 ? { proposed: count('proposed') } : {}),
      returned,
    },
    serverTime: at.toISOString(),
  };
};
