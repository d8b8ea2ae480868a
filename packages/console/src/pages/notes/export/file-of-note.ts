import { noteText, type Schema } from '@commonplace/client';
import {
  createFolderCaseMatcher,
  createTakenPaths,
  formatNoteFile,
  pathFor,
  placeOf,
} from '@commonplace/note-files';

/** A file of the zip. */
export type ExportedFile = {
  readonly name: string;
  readonly input: string;
  readonly lastModified: Date;
};

type ExportedNote = Pick<
  Schema<'ListedNote'>,
  | 'title'
  | 'content'
  | 'folder'
  | 'tags'
  | 'pinned'
  | 'archived'
  | 'properties'
  | 'conflictOf'
  | 'updatedAt'
>;

/**
 * Returns a function that makes the files of an export. A second note of the same path, in any case, gets a number. Folders
 * that differ only in case are one, because they are one on disks that ignore case; the files name the folders of their notes.
 */
export const createFileOf = (): ((note: ExportedNote) => ExportedFile) => {
  const taken = createTakenPaths();
  const matchFolderCase = createFolderCaseMatcher([]);
  return (note) => {
    const text = noteText(note);
    const path = matchFolderCase(pathFor({ text, conflictOf: note.conflictOf }, null, taken));
    taken.add(path);
    return {
      name: path,
      input: formatNoteFile(text, placeOf(path)),
      lastModified: new Date(note.updatedAt),
    };
  };
};
