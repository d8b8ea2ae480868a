import {
  canReadIn,
  writeModeIn,
  type HeldGrants,
  type NoteGrant,
  type WriteScope,
} from '@commonplace/contracts/core';
import type { NoteEdit, NoteFields } from '@commonplace/contracts/notes';
import type { EditedText } from '../edit/edit-result.ts';
import type { Base } from './decide-sync.ts';
import { rejected, type Decision } from './decision.ts';
import { isActive, isSameNote, type NoteState } from './note-state.ts';

/** A change that the grants of its sender do not reach: nothing of the note is shown. */
export const notGranted: Decision = rejected(
  'folder_not_granted',
  'The folder is not granted to this credential for writing.',
);

const addsOnly =
  'The grants of this credential let it add to the notes of this folder only: new notes, append, append_to_section, and ' +
  'insert_after where nothing follows in the section.';

/** A change of what is there, by a sender that may only add to it. */
export const notAdding: Decision = rejected('folder_not_granted', addsOnly);

type Mode = NoteGrant['mode'];

/** How changes of notes in all these folders are made; null: not at all. */
export const modeIn = (
  grants: HeldGrants,
  folders: readonly (string | undefined)[],
  scope: WriteScope,
): Mode | null => {
  if (grants === null) {
    return 'direct';
  }
  const modes = folders.flatMap((folder) =>
    folder === undefined ? [] : [writeModeIn(grants, folder, scope)],
  );
  return modes.includes(null) ? null : modes.includes('propose') ? 'propose' : 'direct';
};

/** The decision, unless it puts a note, or a copy, where the sender may not write, or not in this way. */
export const withinGrants = (
  grants: HeldGrants,
  decision: Decision,
  { scope, mode }: { readonly scope: () => WriteScope; readonly mode: Mode },
): Decision => {
  if (grants === null) {
    return decision;
  }
  const made = modeIn(grants, [decision.next?.fields?.folder, decision.copy?.folder], scope());
  return made === 'direct' || made === mode ? decision : notGranted;
};

/** The part of a change that says what it does to what is there. */
type Change = {
  readonly rule: string;
  readonly fields?: NoteFields;
  readonly edits?: readonly NoteEdit[];
  /** Links of the note that follow a rename. */
  readonly linkRename?: object;
};

const addingEdits: ReadonlySet<NoteEdit['op']> = new Set([
  'append',
  'insert_after',
  'append_to_section',
]);

/**
 * What a change of a note needs. New notes keep everything that is there, and so does a repetition of what is stored. Where
 * `insert_after` puts its text is known when it is applied: see `addedText`.
 */
export const writeScopeOf = (
  now: NoteState | null,
  { rule, fields, edits = [], linkRename }: Change,
): WriteScope => {
  if (rule === 'edit') {
    const adds = linkRename === undefined && edits.every(({ op }) => addingEdits.has(op));
    return adds ? 'append' : 'any';
  }
  const isKept = fields && (now === null || (isActive(now) && isSameNote(now, fields)));
  return isKept ? 'append' : 'any';
};

/** The edited text, unless an edit put something before what is there, and the sender may only add. */
export const addedText = (edited: EditedText): EditedText =>
  'content' in edited && edited.amid !== undefined
    ? {
        failure: {
          code: 'folder_not_granted',
          detail: addsOnly,
          extensions: { edit: edited.amid },
        },
      }
    : edited;

/**
 * What a change is based on. The text of a version that the sender does not see is not known: whether a merge with it
 * succeeds would say what it was.
 */
export const visibleBase = (grants: HeldGrants, base: Base): Base =>
  base.fields === null || canReadIn(grants, base.fields.folder) ? base : { ...base, fields: null };
