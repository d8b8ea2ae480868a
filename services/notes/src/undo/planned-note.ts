import type { NoteFields } from '@commonplace/contracts/notes';
import type { UndoneNoteRow } from '../queries/undo-notes.ts';
import type { VersionName } from '../queries/version-texts.ts';
import type { UndoPlan } from '../rules/plan-undo.ts';
import type { UndoDecision } from '../rules/undo-note.ts';
import type { NoteHistory } from './read-histories.ts';

/** What is to be done with a note. */
export type PreparedNote = {
  readonly row: UndoneNoteRow;
  /** What is written of it; undefined: nothing. */
  readonly next?: NoteFields | null;
  /** The revision for which it was prepared. */
  readonly revision: number;
};

/** A note with what is planned for it. */
export type PlannedNote = {
  readonly history: NoteHistory;
  readonly plan: UndoPlan | UndoDecision;
  /** The versions to read, with their bytes. */
  readonly names: readonly VersionName[];
  readonly bytes: number;
};
