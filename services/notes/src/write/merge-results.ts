import type { NoteFields } from '@commonplace/contracts/notes';
import type { MergeBudget, Merger } from '../merge/create-merger.ts';
import { tooCostly } from '../merge/merge-text.ts';
import type { SyncPutChange } from './change.ts';

/** What a put is merged over: the text it was made of, and the note as it is now, in that revision. */
type MergeCase = {
  readonly base: NoteFields;
  readonly now: NoteFields;
  readonly revision: number;
};

/** The merges of a transaction. A merge of the same base and the same version of the note is not made twice. */
export type MergeResults = {
  /** Makes a merge; resolves at once where that is cheap, or where it was made before. */
  readonly make: (put: SyncPutChange, of: MergeCase, budget: MergeBudget) => Promise<void>;
  /** Whether a merge was made, or tried. */
  readonly isMade: (put: SyncPutChange, of: Omit<MergeCase, 'now'>) => boolean;
  /** A merge that was made; null: it was not to be had, so both sides are kept. */
  readonly find: (put: SyncPutChange, of: Omit<MergeCase, 'now'>) => NoteFields | null;
};

type MadeMerge = Omit<MergeCase, 'now'> & { readonly merged: NoteFields | null };

/** Begins with none. */
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
