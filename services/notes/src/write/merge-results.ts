import type { NoteFields } from '@commonplace/contracts/notes';
import { tooCostly } from '@commonplace/merge';
import type { MergeBudget, Merger } from '../merge/create-merger.ts';
import type { Sides } from '../merge/merge-note.ts';
import { isSameNote } from '../rules/note-state.ts';
import type { SyncPutChange } from './change.ts';
import type { MadeMerge, MadeMerges, MergeCase } from './made-merges.ts';

/** The merges of a transaction. Each pair of base and current note is merged once per put. */
export type MergeResults = {
  /** Makes a merge. Resolves immediately when it is cheap or was made before. */
  readonly make: (put: SyncPutChange, of: MergeCase, budget: MergeBudget) => Promise<void>;
  /** Whether a merge was attempted. */
  readonly isMade: (put: SyncPutChange, of: MergeCase) => boolean;
  /** The merged fields; null: the merge failed or was not made, so both sides are kept. */
  readonly find: (put: SyncPutChange, of: MergeCase) => NoteFields | null;
};

/** Makes a merge that is too costly for the event loop, or throws. */
export type MergeCostly = (sides: Sides, budget: MergeBudget) => Promise<NoteFields | null>;

/** Creates merge results that keep what they make in `made`. */
export const createMergeResults = (
  mergeNow: Merger['mergeNow'],
  mergeCostly: MergeCostly,
  made: MadeMerges,
): MergeResults => {
  const known = ({ mutation }: SyncPutChange, { base, now }: MergeCase): MadeMerge | null => {
    const entry = made.get(mutation);
    return entry && isSame(entry.base, base) && isSame(entry.now, now) ? entry : null;
  };
  return {
    make: async (put, { base, now }, budget) => {
      if (!known(put, { base, now })) {
        const sides = { base, ours: now, theirs: put.fields };
        const cheap = mergeNow(sides);
        const merged = cheap === tooCostly ? await mergeCostly(sides, budget) : cheap;
        made.set(put.mutation, { base, now, merged });
      }
    },
    isMade: (put, of) => known(put, of) !== null,
    find: (put, of) => known(put, of)?.merged ?? null,
  };
};

/** By content: a revision that was staged in vain may have been taken by another change since. */
const isSame = (a: NoteFields, b: NoteFields): boolean => a === b || isSameNote(a, b);
