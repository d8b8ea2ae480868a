import type { NoteFields } from '@commonplace/contracts/notes';
import { decideDelete } from '../policy/decide-delete.ts';
import { decidePut } from '../policy/decide-put.ts';
import { decideRestore } from '../policy/decide-restore.ts';
import { decideSyncDelete } from '../policy/decide-sync-delete.ts';
import { decideSyncPut, type Base } from '../policy/decide-sync-put.ts';
import type { Decision } from '../policy/decision.ts';
import type { NoteState } from '../policy/note-state.ts';
import type { Change, SyncPutChange } from './change.ts';

/** What the rules may ask for besides the note itself. */
export type Material = {
  /** The text of a version of this note, where it is known. */
  readonly textOf: (revision: number) => NoteFields | null;
  /** What a synced change was made of. */
  readonly base: Base;
  readonly merge: (change: SyncPutChange, base: NoteFields, now: NoteState) => NoteFields | null;
};

/** Applies the rule of a change to the note as it is now. */
export const judgeChange = (
  change: Change,
  now: NoteState | null,
  material: Material,
): Decision => {
  switch (change.rule) {
    case 'put':
      return decidePut(now, change);
    case 'delete':
      return decideDelete(now, change.precondition);
    case 'restore':
      return decideRestore(now, {
        version: change.revision === null ? null : (material.textOf(change.revision) ?? 'missing'),
      });
    case 'sync_put':
      return decideSyncPut(now, { ...change, base: material.base }, (base, note) =>
        material.merge(change, base, note),
      );
    case 'sync_delete':
      return decideSyncDelete(now, material.base);
  }
};
