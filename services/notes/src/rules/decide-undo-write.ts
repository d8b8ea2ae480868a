import type { NoteFields } from '@commonplace/contracts/notes';
import { applied, rejected, type Decision } from './decision.ts';
import { isActive, type NoteState } from './note-state.ts';

/** What an undo makes of a note, as it was at one revision. */
export type PreparedUndo = {
  readonly revision: number;
  /** Null: the note is deleted. */
  readonly fields: NoteFields | null;
};

/** Undo: the note becomes what was prepared, unless it changed meanwhile. */
export const decideUndoWrite = (
  now: NoteState | null,
  { revision, fields }: PreparedUndo,
): Decision =>
  now?.revision === revision
    ? applied(isActive(now) ? 'applied' : 'restored', { fields, revision: revision + 1 })
    : rejected('busy', 'The note changed meanwhile.');
