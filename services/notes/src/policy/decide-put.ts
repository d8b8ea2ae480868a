import type { NoteFields } from '@commonplace/contracts';
import { becomes, refused, unchanged, type Decision } from './decision.ts';
import { isLiving, isSameNote, type NoteState } from './note-state.ts';
import { holds, type Precondition } from './precondition.ts';

export type Put = { readonly fields: NoteFields; readonly precondition: Precondition };

/**
 * PUT: the note becomes what was sent. A note that is so already satisfies every If-Match, because a
 * retry must be safe; `If-None-Match` still asks for its absence.
 */
export const decidePut = (now: NoteState | null, { fields, precondition }: Put): Decision => {
  if (isLiving(now) && precondition.ifNoneMatch === null && isSameNote(now, fields)) {
    return unchanged;
  }
  if (!holds(precondition, now)) {
    return refused('precondition_failed', 'The note is not as the request expects it to be.');
  }
  if (isLiving(now) && isSameNote(now, fields)) {
    return unchanged;
  }
  const revision = (now?.revision ?? 0) + 1;
  return becomes(now && !isLiving(now) ? 'restored' : 'applied', {
    fields,
    revision,
    isDeleted: false,
  });
};
