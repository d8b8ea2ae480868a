import type { NoteId } from '@commonplace/contracts/core';
import type { NoteFields, ReadOnlyFields } from '@commonplace/contracts/notes';
import { decideCreate, decideDelete, decidePut, decideRestore } from '../rules/decide-write.ts';
import { decideResolve, type CopyState } from '../rules/decide-resolve.ts';
import { decideEdit } from '../rules/decide-edit.ts';
import { decideUndoWrite } from '../rules/decide-undo-write.ts';
import {
  decideSyncDelete,
  decideSyncPut,
  type Base,
  type UndoneVersions,
} from '../rules/decide-sync.ts';
import type { Decision } from '../rules/decision.ts';
import type { ExistingNote } from './titled-notes.ts';
import type { NoteState } from '../rules/note-state.ts';
import type { EditedText } from '../edit/edit-result.ts';
import type { Change, CreateChange, EditChange } from './change.ts';

/** Everything a rule may need besides the note itself. */
export type RuleInputs = {
  /** The fields of a version of this note; null: not known. */
  readonly textOf: (revision: number) => NoteFields | null;
  /** The version a synced change is based on. */
  readonly base: Base;
  /** The versions of this note that undos took out. */
  readonly undone: UndoneVersions;
  /** The merge of a put with the note; null: both sides are kept. */
  readonly merged: NoteFields | null;
  /** The read-only fields of the note. */
  readonly readOnly: () => ReadOnlyFields;
  /** The note that has the title of a new one; null: there is none. */
  readonly existing: (change: CreateChange) => ExistingNote | null;
  /** Another note of the transaction. */
  readonly noteOf: (id: NoteId) => CopyState | null;
  /** The edited content; null: the content is not known. */
  readonly editText: (change: EditChange, now: NoteState) => EditedText | null;
};

/** Applies the rule of a change to the current state of the note. */
export const applyRule = (change: Change, now: NoteState | null, inputs: RuleInputs): Decision => {
  switch (change.rule) {
    case 'put':
      return decidePut(now, change, inputs.readOnly());
    case 'create':
      return decideCreate(change, inputs.existing(change));
    case 'delete':
      return decideDelete(now, change.precondition);
    case 'restore':
      return decideRestore(now, {
        precondition: change.precondition,
        version: change.revision === null ? null : versionOf(change.revision, inputs),
      });
    case 'edit':
      return decideEdit(now, change, (note) => inputs.editText(change, note));
    case 'resolve':
      return decideResolve(now, inputs.noteOf(change.copyId), change);
    case 'undo':
      return decideUndoWrite(now, change.prepared);
    case 'sync_put':
      return decideSyncPut(
        now,
        { ...change, base: inputs.base, undone: inputs.undone },
        inputs.merged,
      );
    case 'sync_delete':
      return decideSyncDelete(now, inputs.base);
  }
};

const versionOf = (revision: number, { textOf }: Pick<RuleInputs, 'textOf'>) => ({
  revision,
  fields: textOf(revision),
});
