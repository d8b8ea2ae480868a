import type { NoteEdit, SetEdit } from '@commonplace/contracts/notes';
import { applySetEdits } from '../edit/apply-set-edits.ts';
import type { EditedText, EditFailure } from '../edit/edit-result.ts';
import { applied, rejected, unchanged, type Decision } from './decision.ts';
import { isActive, isSameNote, type NoteState } from './note-state.ts';
import type { LinkRename } from './rename-links.ts';
import { rejectMalformed, rejectUnmet, type Precondition } from './precondition.ts';

export type Edit = {
  readonly edits: readonly NoteEdit[];
  readonly precondition: Precondition;
  readonly linkRename?: LinkRename;
};

/** PATCH: the present note with all edits applied, or none of them. `editText` gives null if the content is not known. */
export const decideEdit = (
  now: NoteState | null,
  { edits, precondition, linkRename }: Edit,
  editText: (now: NoteState) => EditedText | null,
): Decision => {
  if (now === null) {
    return rejected('not_found', 'No such note.');
  }
  if (!isActive(now)) {
    return rejected('note_deleted', 'The note was deleted; restore it first.');
  }
  const rejection =
    rejectMalformed(precondition) ??
    rejectUnmet(precondition, now) ??
    rejectRenamed(linkRename, now);
  const edited = rejection ? null : editText(now);
  if (rejection || !edited) {
    return rejection ?? unchanged;
  }
  if ('failure' in edited) {
    return failed(edited.failure);
  }
  const rest = applySetEdits(
    now,
    edits.flatMap((edit, index) => (edit.op === 'set' ? [{ edit: edit as SetEdit, index }] : [])),
  );
  if ('failure' in rest) {
    return failed(rest.failure);
  }
  const fields = { ...rest.fields, content: edited.content };
  return isSameNote(now, fields)
    ? unchanged
    : applied('applied', { fields, revision: now.revision + 1 });
};

/** The links by the old title were found before the lock: those by another one are not of this note any more. */
const rejectRenamed = (rename: LinkRename | undefined, now: NoteState): Decision | null =>
  rename?.id === now.id && rename.from !== now.title
    ? rejected('busy', 'The note has just been renamed.')
    : null;

const failed = ({ code, detail, ...rest }: EditFailure): Decision => {
  const decision = rejected(code, detail);
  return { ...decision, error: { code, detail, ...rest } };
};
