import type { NoteFields } from '@commonplace/contracts/notes';
import type { MutationKey } from '../queries/mutations.ts';

/** The inputs of a merge besides the put: its base, and the current note. */
export type MergeCase = { readonly base: NoteFields; readonly now: NoteFields };

/** A merge that was attempted; null: both sides are kept. */
export type MadeMerge = MergeCase & { readonly merged: NoteFields | null };

/** The latest merge of each change, by the key that its client gave it. */
export type MadeMerges = Map<MutationKey, MadeMerge>;
