import type { NoteFields } from '@commonplace/contracts/notes';
import { becomes, unchanged, type Decision } from './decision.ts';
import { isLiving, isSameNote, type NoteState } from './note-state.ts';
import { refuseMalformed, refuseUnmet, type Precondition } from './precondition.ts';

export type Put = { readonly fields: NoteFields; readonly precondition: Precondition };

/**
 * PUT: the note becomes what was sent. A note that is so already satisfies every If-Match, because a
 * retry must be safe; `If-None-Match` still asks for its absence.
 */
export const decidePut = (now: NoteState | null, { fields, precondition }: Put): Decision => {
  const isSame = isLiving(now) && isSameNote(now, fields);
  const isRetry = isSame && precondition.ifNoneMatch === null;
  const refusal =
    refuseMalformed(precondition) ?? (isRetry ? null : refuseUnmet(precondition, now));
  if (refusal) {
    return refusal;
  }
  if (isSame) {
    return unchanged;
  }
  const revision = (now?.revision ?? 0) + 1;
  const status = now === null || isLiving(now) ? 'applied' : 'restored';
  return becomes(status, { fields, revision });
};
