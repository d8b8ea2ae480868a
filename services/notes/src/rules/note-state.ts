import { AppError, type NoteId } from '@commonplace/contracts/core';
import type { NoteFields } from '@commonplace/contracts/notes';
import { canonicalJson } from '../merge/canonical-json.ts';

/** The fields of a note but its content. */
export type OtherFields = Omit<NoteFields, 'content'>;

/** The fields of a note; content is null if it was not read. */
export type StoredFields = OtherFields & { readonly content: string | null };

/** The fields of a note, a version or a proposal but its content. */
export const otherFieldsOf = ({
  title,
  folder,
  tags,
  pinned,
  archived,
  properties,
}: OtherFields): OtherFields => ({ title, folder, tags, pinned, archived, properties });

/** The part of a stored note that the rules need. */
export type NoteState = StoredFields & {
  readonly id: NoteId;
  readonly revision: number;
  readonly deletedAt: Date | null;
};

/** The revision of a note that is only proposed. */
export const noRevision = 0;

export const isActive = (note: NoteState | null): note is NoteState =>
  note !== null && note.deletedAt === null;

/** A note, or its newest version. */
type MaybeDeleted = Pick<NoteState, 'deletedAt'> | { readonly deleted: boolean };

const isDeleted = (note: MaybeDeleted): boolean =>
  'deleted' in note ? note.deleted : note.deletedAt !== null;

/** Returns the note; throws `not_found`. */
export const assertFound = <Note>(note: Note | null | undefined): Note => {
  if (!note) {
    throw new AppError('not_found', 'No such note.');
  }
  return note;
};

/** Returns the note; throws `not_found` or `note_deleted`. */
export const assertActive = <Note extends MaybeDeleted>(note: Note | null | undefined): Note => {
  const found = assertFound(note);
  if (isDeleted(found)) {
    throw new AppError('note_deleted', 'The note was deleted; its revisions are still there.');
  }
  return found;
};

/** Equal in every writable field. The caller loads content wherever it may be equal. */
export const isSameNote = (a: StoredFields, b: NoteFields): boolean =>
  a.content === b.content &&
  a.title === b.title &&
  a.folder === b.folder &&
  a.pinned === b.pinned &&
  a.archived === b.archived &&
  a.tags.length === b.tags.length &&
  a.tags.every((tag, index) => tag === b.tags[index]) &&
  canonicalJson(a.properties) === canonicalJson(b.properties);

/** The fields of a note with content. Throws if the content was not read. */
export const wholeOf = (note: NoteState): NoteFields => {
  const { content } = note;
  if (content === null) {
    throw new Error('The content of this note was not read');
  }
  return { ...note, content };
};
