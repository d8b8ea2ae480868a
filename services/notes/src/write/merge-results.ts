import type { NoteFields } from '@commonplace/contracts/notes';
import type { MergeBudget, Merger } from '../merge/create-merger.ts';
import { tooCostly } from '@commonplace/merge';
import type { SyncPutChange } from './change.ts';

/** The inputs of a merge besides the put: its base, and the current note at `revision`. */
type MergeCase = {
  readonly base: NoteFields;
  readonly now: NoteFields;
  readonly revision: number;
};

/** The merges of a transaction. Each pair of base and current revision is merged once per put. */
export type MergeResults = {
  /** Makes a merge. Resolves immediately when it is cheap or was made before. */
  readonly make: (put: SyncPutChange, of: MergeCase, budget: MergeBudget) => Promise<void>;
  /** Whether a merge was attempted. */
  readonly isMade: (put: SyncPutChange, of: Omit<MergeCase, 'now'>) => boolean;
  /** The merged fields; null: the merge failed or was not made, so both sides are kept. */
  readonly find: (put: SyncPutChange, of: Omit<MergeCase, 'now'>) => NoteFields | null;
};

type MadeMerge = Omit<MergeCase, 'now'> & { readonly merged: NoteFields | null };

/** Creates an empty set of merge results. */
export const createMergeResults = (merger: Merger): MergeResults => {
  const made = new Map<SyncPutChange, MadeMerge>();
  const known = (
    put: SyncPutChange,
    { base, revision }: Omit<MergeCase, 'now'>,
  ): MadeMerge | null => {
    const entry = made.get(put);
    return entry && entry.base === base && entry.revision === revision ? entry : null;
  };
  return {
    make: async (put, { base, now, revision }, budget) => {
      if (!known(put, { base, revision })) {
        const sides = { base, ours: now, theirs: put.fields };
        const cheap = merger.mergeNow(sides);
        const merged = cheap === tooCostly ? await merger.merge(sides, budget) : cheap;
        made.set(put, { base, revision, merged });
      }
    },
    isMade: (put, of) => known(put, of) !== null,
    find: (put, of) => known(put, of)?.merged ?? null,
  };
};
