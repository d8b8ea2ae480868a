import { createHash, editHash, mutationHash, restoreHash } from '../rules/mutation-hash.ts';
import type { MutationKey, MutationRow } from '../queries/mutations.ts';
import { mutationOf, type Change, type Outcome } from './change.ts';

/** None of the three parts can contain NUL. */
const keyOf = ({ caller, clientId, mutationId }: MutationKey): string =>
  `${caller}\u0000${clientId}\u0000${mutationId}`;

/** A mutation. Its hash is computed on demand, because it reads the whole text. */
export type KnownMutation = Omit<MutationRow, 'requestHash'> & { readonly hash: () => string };

/** The request hash of a change. */
export const hashOf = (change: Change): string =>
  mutationOf(change)?.callHash ?? changeHash(change);

/** The hash of what a change does. */
export const changeHash = (change: Change): string => {
  switch (change.rule) {
    case 'edit':
      return editHash(change.id, change.edits);
    case 'create':
      return createHash(change.fields, change.ifTitleExists);
    case 'put':
    case 'sync_put':
      return mutationHash(change.id, change.fields);
    case 'restore':
      return restoreHash(change.id, change.revision);
    default:
      return mutationHash(change.id, null);
  }
};

/** The mutations known to a transaction: those stored before and those it applies. */
export const createMutationLog = (stored: readonly MutationRow[]) => {
  const known = new Map<string, KnownMutation>(
    stored.map((row) => [keyOf(row), { ...row, hash: () => row.requestHash }]),
  );
  const recorded: KnownMutation[] = [];
  return {
    find: (change: Change): KnownMutation | null => {
      const key = mutationOf(change);
      return key && (known.get(keyOf(key)) ?? null);
    },
    /** Records the outcome of a change. Rejections are not recorded, so that a corrected retry succeeds. */
    record: (
      change: Change,
      { status, revision, conflictNoteId, noteId = change.id, proposal }: Outcome,
    ): void => {
      const key = mutationOf(change);
      if (key && status !== 'rejected') {
        const proposalId = proposal?.id ?? null;
        const result = { noteId, status, revision, conflictNoteId, proposalId };
        const { callHash: _callHash, ...name } = key;
        const mutation = { ...name, ...result, hash: () => hashOf(change) };
        known.set(keyOf(mutation), mutation);
        recorded.push(mutation);
      }
    },
    recorded: (): MutationRow[] =>
      recorded.map(({ hash, ...mutation }) => ({ ...mutation, requestHash: hash() })),
  };
};

export type MutationLog = ReturnType<typeof createMutationLog>;
