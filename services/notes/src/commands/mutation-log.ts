import type { MutationKey, MutationRow } from '../queries/list-mutations.ts';
import type { Outcome, SyncedChange } from './change.ts';

const keyOf = ({ caller, clientId, mutationId }: MutationKey): string =>
  JSON.stringify([caller, clientId, mutationId]);

/** The mutations a transaction knows: those stored before, and those it applies itself. */
export const openMutationLog = (stored: readonly MutationRow[]) => {
  const known = new Map(stored.map((row) => [keyOf(row), row]));
  const recorded: MutationRow[] = [];
  return {
    find: (change: SyncedChange): MutationRow | null => known.get(keyOf(change.mutation)) ?? null,
    /** Remembers what became of a change; rejections are not remembered, they may be mended. */
    record: (change: SyncedChange, { status, revision, conflictNoteId }: Outcome): void => {
      if (status !== 'rejected') {
        const row = { ...change.mutation, noteId: change.id, status, revision, conflictNoteId };
        known.set(keyOf(row), row);
        recorded.push(row);
      }
    },
    recorded: (): readonly MutationRow[] => recorded,
  };
};

export type MutationLog = ReturnType<typeof openMutationLog>;
