import {
  fitsInBytes,
  noteLimits,
  type ConflictResolution,
  type NoteFields,
} from '@commonplace/contracts/notes';
import type { NoteId } from '@commonplace/contracts/core';
import { applied, rejected, unchanged, type Decision } from './decision.ts';
import { isActive, isSameNote, wholeOf, type NoteState } from './note-state.ts';
import { rejectMalformed, rejectUnmet, type Precondition } from './precondition.ts';

export type Resolve = {
  readonly resolution: ConflictResolution;
  readonly precondition: Precondition;
};

/** A note with what it is a conflict copy of. */
export type CopyState = NoteState & { readonly conflictOf: NoteId | null };

/** Resolve: the note becomes what is kept, and the copy is deleted (`deletes`). */
export const decideResolve = (
  now: NoteState | null,
  copy: CopyState | null,
  { resolution, precondition }: Resolve,
): Decision => {
  if (now === null || copy?.conflictOf !== now.id) {
    return rejected('not_found', 'The note has no such conflict copy.');
  }
  if (!isActive(now)) {
    return rejected('note_deleted', 'The note was deleted; restore it first.');
  }
  const malformed = rejectMalformed(precondition);
  if (malformed || !isActive(copy)) {
    return malformed ?? decideAgain(wholeOf(now), wholeOf(copy), resolution);
  }
  const unmet = rejectUnmet(precondition, now) ?? rejectChangedCopy(copy, resolution);
  if (unmet) {
    return unmet;
  }
  const fields = keptFields(wholeOf(now), wholeOf(copy), resolution);
  if (!fitsInBytes(fields.content, noteLimits.contentBytesMax)) {
    const max = noteLimits.contentBytesMax;
    return rejected('body_too_large', `The note would be larger than ${max} bytes.`);
  }
  const decision = isSameNote(now, fields)
    ? { ...unchanged, status: 'applied' as const }
    : applied('applied', { fields, revision: now.revision + 1 });
  return { ...decision, deletes: copy.id };
};

/** What others have written into the copy since it was read would be deleted with it. */
const rejectChangedCopy = (
  copy: CopyState,
  { copyRevision }: ConflictResolution,
): Decision | null =>
  copyRevision === undefined || copyRevision === copy.revision
    ? null
    : rejected('precondition_failed', `The conflict copy is at revision ${copy.revision}.`);

/** The copy is deleted already: a retry changes nothing, and anything else must not be dropped silently. */
const decideAgain = (now: NoteFields, copy: NoteFields, resolution: ConflictResolution): Decision =>
  isKept(now, copy, resolution)
    ? unchanged
    : rejected('note_deleted', 'The conflict copy was deleted: the conflict is resolved already.');

const isKept = (now: NoteFields, copy: NoteFields, resolution: ConflictResolution): boolean => {
  if ('content' in resolution) {
    return now.content === resolution.content;
  }
  switch (resolution.keep) {
    case 'this':
      return true;
    case 'other':
      return isSameNote(now, copy);
    case 'both':
      return now.content.endsWith(copy.content);
  }
};

const keptFields = (
  now: NoteFields,
  copy: NoteFields,
  resolution: ConflictResolution,
): NoteFields => {
  if ('content' in resolution) {
    return { ...now, content: resolution.content };
  }
  switch (resolution.keep) {
    case 'this':
      return now;
    case 'other':
      return copy;
    case 'both':
      return { ...now, content: joined(now.content, copy.content) };
  }
};

/** Both texts, the second on a line of its own. */
const joined = (first: string, second: string): string =>
  `${first}${first === '' || first.endsWith('\n') ? '' : '\n'}${second}`;
