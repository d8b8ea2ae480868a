import type { NoteFields } from '@commonplace/contracts/notes';
import { decideDelete, decidePut, decideRestore } from '../rules/decide-write.ts';
import { decideSyncDelete, decideSyncPut, type Base } from '../rules/decide-sync.ts';
import type { Decision } from '../rules/decision.ts';
import type { NoteState } from '../rules/note-state.ts';
import type { Change, SyncPutChange } from './change.ts';

/** What the rules may ask for besides the note itself. */
export type RuleInputs = {
  /** The text of a version of this note, where it is known. */
  readonly textOf: (revision: number) => NoteFields | null;
  /** What a synced change was made of. */
  readonly base: Base;
  readonly merge: (change: SyncPutChange, base: NoteFields, now: NoteState) => NoteFields | null;
};

/** Applies the rule of a change to the note as it is now. */
export const applyRule = (change: Change, now: NoteState | null, inputs: RuleInputs): Decision => {
  switch (change.rule) {
    case 'put':
      return decidePut(now, change);
    case 'delete':
      return decideDelete(now, change.precondition);
    case 'restore':
      return decideRestore(now, {
        version: change.revision === null ? null : (inputs.textOf(change.revision) ?? 'missing'),
      });
    case 'sync_put':
      return decideSyncPut(now, { ...change, base: inputs.base }, (base, note) =>
        inputs.merge(change, base, note),
      );
    case 'sync_delete':
      return decideSyncDelete(now, inputs.base);
  }
};
