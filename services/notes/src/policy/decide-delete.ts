import { becomes, refused, unchanged, type Decision } from './decision.ts';
import { isLiving, type NoteState } from './note-state.ts';
import { holds, type Precondition } from './precondition.ts';

/** DELETE: the note becomes a tombstone. One that is deleted already stays so, whatever the condition. */
export const decideDelete = (now: NoteState | null, precondition: Precondition): Decision => {
  if (now === null) {
    return refused('not_found', 'No such note.');
  }
  if (!isLiving(now)) {
    return unchanged;
  }
  if (!holds(precondition, now)) {
    return refused('precondition_failed', 'The note is not as the request expects it to be.');
  }
  return becomes('applied', { fields: now, revision: now.revision + 1, isDeleted: true });
};
