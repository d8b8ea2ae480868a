import { changedFields, textOf, type NoteText } from '../note-text.ts';
import { draftKeyOf, firstRevision, type Draft, type DraftName } from './drafts.ts';
import type { NoteFormHandle } from './note-form.tsx';
import type { EditBase, Note } from './use-draft-start.ts';

type Newer = {
  /** Of the note. */
  readonly draftName: DraftName;
  readonly base: EditBase;
  /** The form is gone; whether something is kept. */
  readonly onGone: (isKept: boolean) => void;
};

/** On leaving a form whose text was saved: what is written until it is gone becomes a draft of the note. */
export const keepNewer = (form: NoteFormHandle, { draftName, base, onGone }: Newer): void =>
  form.leave({
    draftKey: draftKeyOf(draftName),
    read: (): Draft | null => {
      const text = form.read();
      const savedAt = new Date().toISOString();
      return changedFields(base, text).length === 0
        ? null
        : { baseRevision: base.revision, base: textOf(base), text, savedAt };
    },
    onGone,
  });

/** Of a note that is there, though nobody knows which version the text was made from. */
export const storedBase = (base: EditBase): EditBase => ({
  ...base,
  revision: Math.max(firstRevision, base.revision),
});

/**
 * What is written after a text was saved as this version is made from. Changes of others that the save has merged in reach it
 * as a newer revision does.
 */
export const baseAfter = (note: Note, text: NoteText): EditBase =>
  changedFields(text, textOf(note)).length === 0
    ? note
    : storedBase({ ...note, ...text, revision: note.revision - 1 });
