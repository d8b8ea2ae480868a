import { becomes, refused, unchanged, type Decision } from './decision.ts';
import { isLiving, type NoteState } from './note-state.ts';
import { refuseMalformed, refuseUnmet, type Precondition } from './precondition.ts';

/** DELETE: the note becomes a tombstone. One that is deleted already stays so, whatever the condition. */
export const decideDelete = (now: NoteState | null, precondition: Precondition): Decision => {
  if (now === null) {
    return refused('not_found', 'No such note.');
  }
  const malformed = refuseMalformed(precondition);
  if (malformed || !isLiving(now)) {
    return malformed ?? unchanged;
  }
  return (
    refuseUnmet(precondition, now) ??
    becomes('applied', { fields: null, revision: now.revision + 1 })
  );
};
