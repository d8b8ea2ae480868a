import { mutationHash } from '../rules/mutation-hash.ts';
import type { MutationKey, MutationRow } from '../queries/mutations.ts';
import type { Outcome, SyncedChange } from './change.ts';

/** None of the three parts can contain NUL. */
const keyOf = ({ caller, clientId, mutationId }: MutationKey): string =>
  `${caller}\u0000${clientId}\u0000${mutationId}`;

/** A mutation. Its hash is computed on demand, because it reads the whole text. */
export type KnownMutation = Omit<MutationRow, 'requestHash'> & { readonly hash: () => string };

/** The request hash of a change. */
export const hashOf = (change: SyncedChange): string =>
  mutationHash(change.id, change.rule === 'sync_put' ? change.fields : null);

/** The mutations known to a transaction: those stored before and those it applies. */
export const createMutationLog = (stored: readonly MutationRow[]) => {
  const known = new Map<string, KnownMutation>(
    stored.map((row) => [keyOf(row), { ...row, hash: () => row.requestHash }]),
  );
  const recorded: KnownMutation[] = [];
  return {
    find: (change: SyncedChange): KnownMutation | null => known.get(keyOf(change.mutation)) ?? null,
    /** Records the outcome of a change. Rejections are not recorded, so that a corrected retry succeeds. */
    record: (change: SyncedChange, { status, revision, conflictNoteId }: Outcome): void => {
      if (status !== 'rejected') {
        const result = { noteId: change.id, status, revision, conflictNoteId };
        const mutation = { ...change.mutation, ...result, hash: () => hashOf(change) };
        known.set(keyOf(mutation), mutation);
        recorded.push(mutation);
      }
    },
    recorded: (): MutationRow[] =>
      recorded.map(({ hash, ...mutation }) => ({ ...mutation, requestHash: hash() })),
  };
};

export type MutationLog = ReturnType<typeof createMutationLog>;
