import type { Base } from './decide-sync-put.ts';
import { becomes, conflicts, unchanged, type Decision } from './decision.ts';
import { isLiving, type NoteState } from './note-state.ts';

/** The table of outcomes of a `delete`: only what the client has seen is deleted. */
export const decideSyncDelete = (now: NoteState | null, base: Pick<Base, 'revision'>): Decision => {
  if (!isLiving(now)) {
    return unchanged;
  }
  return base.revision === now.revision
    ? becomes('applied', { fields: null, revision: now.revision + 1 })
    : conflicts(null);
};
