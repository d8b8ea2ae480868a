import type { NoteFields } from '@commonplace/contracts/notes';
import { tooCostly } from '@commonplace/merge';
import type { MergeBudget, Merger } from '../merge/create-merger.ts';
import type { Sides } from '../merge/merge-note.ts';
import { isSameNote } from '../rules/note-state.ts';
import type { SyncPutChange } from './change.ts';
import type { MadeMerge, MadeMerges, MergeCase } from './made-merges.ts';

/**
 * Returns the merged fields of a put; null: not mergeable, so both sides are kept. Each pair of base and current note is
 * merged once per put.
 */
export type Merge = (
  put: SyncPutChange,
  of: MergeCase,
  budget: MergeBudget,
) => Promise<NoteFields | null>;

/** Makes a merge that is too costly for the event loop, or throws. */
export type MergeCostly = (sides: Sides, budget: MergeBudget) => Promise<NoteFields | null>;

/** Creates the merges of a transaction, which are kept in `made`. */
export const createMerge = (
  mergeNow: Merger['mergeNow'],
  mergeCostly: MergeCostly,
  made: MadeMerges,
): Merge => {
  const known = ({ mutation }: SyncPutChange, { base, now }: MergeCase): MadeMerge | null => {
    const entry = made.get(mutation);
    return entry && isSame(entry.base, base) && isSame(entry.now, now) ? entry : null;
  };
  return async (put, { base, now }, budget) => {
    const before = known(put, { base, now });
    if (before) {
      return before.merged;
    }
    const sides = { base, ours: now, theirs: put.fields };
    const cheap = mergeNow(sides);
    const merged = cheap === tooCostly ? await mergeCostly(sides, budget) : cheap;
    made.set(put.mutation, { base, now, merged });
    return merged;
  };
};

/** By content: a revision that was staged in vain may have been taken by another change since. */
const isSame = (a: NoteFields, b: NoteFields): boolean => a === b || isSameNote(a, b);
