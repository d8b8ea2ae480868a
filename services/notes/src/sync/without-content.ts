import type { Author } from '@commonplace/contracts/notes';
import type { NoteRow, StoredNote } from '../queries/note-rows.ts';

/** The notes of a pull, those that this author wrote last without content. */
export const withoutContent = (
  notes: readonly NoteRow[],
  author: Author | undefined,
): readonly StoredNote[] =>
  author
    ? notes.map((note) => (isWrittenBy(note, author) ? { ...note, content: null } : note))
    : notes;

/** Whether the present version is by this author. */
export const isWrittenBy = (
  note: Pick<NoteRow, 'updatedByKind' | 'updatedById'>,
  { kind, id }: Author,
): boolean => note.updatedByKind === kind && note.updatedById === id;
