import type { NoteId } from '@commonplace/contracts/core';
import type { IfTitleExists, NoteFields, ReadOnlyFields } from '@commonplace/contracts/notes';
import { applied, unchanged, rejected, type Decision } from './decision.ts';
import { isActive, isSameNote, wholeOf, type NoteState } from './note-state.ts';
import { rejectOtherValues } from './reject-other-values.ts';
import {
  rejectMalformed,
  rejectUnmet,
  rejectUnmetRestore,
  type Precondition,
} from './precondition.ts';

export type Put = {
  readonly fields: NoteFields;
  readonly precondition: Precondition;
  readonly readOnly?: ReadOnlyFields;
};

/**
 * PUT: the note becomes what was sent. A note that already equals it satisfies every If-Match, because a
 * retry must be safe; `If-None-Match` still requires its absence. `present` are the read-only fields of the note.
 */
export const decidePut = (
  now: NoteState | null,
  { fields, precondition, readOnly = {} }: Put,
  present: ReadOnlyFields,
): Decision => {
  const isSame = isActive(now) && isSameNote(now, fields);
  const isRetry = isSame && precondition.ifNoneMatch === null;
  const rejection =
    rejectMalformed(precondition) ??
    (isRetry ? null : rejectUnmet(precondition, now)) ??
    rejectOtherValues(readOnly, isActive(now) ? present : {}, isRetry);
  if (rejection) {
    return rejection;
  }
  if (isSame) {
    return unchanged;
  }
  const revision = (now?.revision ?? 0) + 1;
  const status = now === null || isActive(now) ? 'applied' : 'restored';
  return applied(status, { fields, revision });
};

/** POST: a new note, unless the folder has one of its title. */
export const decideCreate = (
  { fields, ifTitleExists }: { readonly fields: NoteFields; readonly ifTitleExists: IfTitleExists },
  existing: { readonly id: NoteId } | null,
): Decision => {
  if (!existing || ifTitleExists === 'create') {
    return applied('applied', { fields, revision: 1 });
  }
  if (ifTitleExists === 'return') {
    return unchanged;
  }
  const detail = 'The folder has a note of this title.';
  const extensions = { existing: existing.id };
  return {
    ...rejected('title_exists', detail),
    error: { code: 'title_exists', detail, extensions },
  };
};

/** DELETE: the note becomes a tombstone. A deleted note stays unchanged, whatever the condition. */
export const decideDelete = (now: NoteState | null, precondition: Precondition): Decision => {
  if (now === null) {
    return rejected('not_found', 'No such note.');
  }
  const malformed = rejectMalformed(precondition);
  if (malformed || !isActive(now)) {
    return malformed ?? unchanged;
  }
  return (
    rejectUnmet(precondition, now) ??
    applied('applied', { fields: null, revision: now.revision + 1 })
  );
};

/** An old version; its fields are null if the note has no such version, or it is a deletion. */
type RestoredVersion = { readonly revision: number; readonly fields: NoteFields | null };

export type Restore = {
  /** The requested old version; null: none was requested. */
  readonly version: RestoredVersion | null;
  readonly precondition: Precondition;
};

/**
 * Restore: undeletes a note, or makes an old version the newest. A note that is as the version stays unchanged, whatever the
 * condition, because a retry must be safe.
 */
export const decideRestore = (
  now: NoteState | null,
  { version, precondition }: Restore,
): Decision => {
  if (now === null) {
    return rejected('not_found', 'No such note.');
  }
  const malformed = rejectMalformed(precondition);
  if (malformed) {
    return malformed;
  }
  if (version?.fields === null) {
    return rejected('not_found', 'The note has no such version, or it is a deletion.');
  }
  const fields = version?.fields ?? wholeOf(now);
  if (isActive(now) && isSameNote(now, fields)) {
    return unchanged;
  }
  const next = {
    fields,
    revision: now.revision + 1,
    ...(version && { restoredFrom: version.revision }),
  };
  return rejectUnmetRestore(precondition, now) ?? applied('restored', next);
};
