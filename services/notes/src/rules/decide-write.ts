import type { NoteFields } from '@commonplace/contracts/notes';
import { applied, unchanged, rejected, type Decision } from './decision.ts';
import { isActive, isSameNote, wholeOf, type NoteState } from './note-state.ts';
import { refuseMalformed, refuseUnmet, type Precondition } from './precondition.ts';

export type Put = { readonly fields: NoteFields; readonly precondition: Precondition };

/**
 * PUT: the note becomes what was sent. A note that is so already satisfies every If-Match, because a
 * retry must be safe; `If-None-Match` still asks for its absence.
 */
export const decidePut = (now: NoteState | null, { fields, precondition }: Put): Decision => {
  const isSame = isActive(now) && isSameNote(now, fields);
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
  const status = now === null || isActive(now) ? 'applied' : 'restored';
  return applied(status, { fields, revision });
};

/** DELETE: the note becomes a tombstone. One that is deleted already stays so, whatever the condition. */
export const decideDelete = (now: NoteState | null, precondition: Precondition): Decision => {
  if (now === null) {
    return rejected('not_found', 'No such note.');
  }
  const malformed = refuseMalformed(precondition);
  if (malformed || !isActive(now)) {
    return malformed ?? unchanged;
  }
  return (
    refuseUnmet(precondition, now) ??
    applied('applied', { fields: null, revision: now.revision + 1 })
  );
};

/** `version` is the old version that was asked for: `missing` when there is none, null when none was named. */
export type Restore = { readonly version: NoteFields | 'missing' | null };

/** Restoring: a deleted note comes back, or an old version becomes the newest one. */
export const decideRestore = (now: NoteState | null, { version }: Restore): Decision => {
  if (now === null) {
    return rejected('not_found', 'No such note.');
  }
  if (version === 'missing') {
    return rejected('not_found', 'The note has no such version, or it is a deletion.');
  }
  const fields = version ?? wholeOf(now);
  if (isActive(now) && isSameNote(now, fields)) {
    return unchanged;
  }
  return applied('restored', { fields, revision: now.revision + 1 });
};
