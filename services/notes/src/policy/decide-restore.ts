import type { NoteFields } from '@commonplace/contracts/notes';
import { becomes, refused, unchanged, type Decision } from './decision.ts';
import { isLiving, isSameNote, wholeOf, type NoteState } from './note-state.ts';

/** `version` is the old version that was asked for: `missing` when there is none, null when none was named. */
export type Restore = { readonly version: NoteFields | 'missing' | null };

/** Restoring: a deleted note comes back, or an old version becomes the newest one. */
export const decideRestore = (now: NoteState | null, { version }: Restore): Decision => {
  if (now === null) {
    return refused('not_found', 'No such note.');
  }
  if (version === 'missing') {
    return refused('not_found', 'The note has no such version, or it is a deletion.');
  }
  const fields = version ?? wholeOf(now);
  if (isLiving(now) && isSameNote(now, fields)) {
    return unchanged;
  }
  return becomes('restored', { fields, revision: now.revision + 1 });
};
