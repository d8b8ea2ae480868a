import { mutationHash } from '../rules/mutation-hash.ts';
import type { MutationKey, MutationRow } from '../queries/mutations.ts';
import type { Outcome, SyncedChange } from './change.ts';

/** None of the three can hold NUL. */
const keyOf = ({ caller, clientId, mutationId }: MutationKey): string =>
  `${caller}\u0000${clientId}\u0000${mutationId}`;

/** A mutation, and the hash of what it was. That is taken when it is asked for: it goes over the whole text. */
export type KnownMutation = Omit<MutationRow, 'requestHash'> & { readonly hash: () => string };

/** The hash of what a change would do. */
export const hashOf = (change: SyncedChange): string =>
  mutationHash(change.id, change.rule === 'sync_put' ? change.fields : null);

/** The mutations a transaction knows: those stored before, and those it applies itself. */
export const createMutationLog = (stored: readonly MutationRow[]) => {
  const known = new Map<string, KnownMutation>(
    stored.map((row) => [keyOf(row), { ...row, hash: () => row.requestHash }]),
  );
  const recorded: KnownMutation[] = [];
  return {
    find: (change: SyncedChange): KnownMutation | null => known.get(keyOf(change.mutation)) ?? null,
    /** Remembers what became of a change; rejections are not remembered, they may be mended. */
    record: (change: SyncedChange, { status, revision, conflictNoteId }: Outcome): void => {
      if (status !== 'rejected') {
        const became = { noteId: change.id, status, revision, conflictNoteId };
        const mutation = { ...change.mutation, ...became, hash: () => hashOf(change) };
        known.set(keyOf(mutation), mutation);
        recorded.push(mutation);
      }
    },
    recorded: (): MutationRow[] =>
      recorded.map(({ hash, ...mutation }) => ({ ...mutation, requestHash: hash() })),
  };
};

export type MutationLog = ReturnType<typeof createMutationLog>;
