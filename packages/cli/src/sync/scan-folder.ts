import { randomUUID } from 'node:crypto';
import type { NoteText } from '@commonplace/client';
import { isUnchanged } from './file-stats.ts';
import { findMoves, type Vanished } from './find-moves.ts';
import type { FileEntry, FolderState } from './folder-state.ts';
import { listFiles, type FileProblem, type FoundFile } from './list-files.ts';
import { readNote, type NoteReading } from './read-note.ts';

/** A file whose note differs from the replica. */
export type FileEdit = {
  readonly path: string;
  readonly entry: FileEntry;
  readonly text: NoteText;
  readonly kind: 'new' | 'changed' | 'moved';
  /** The hash of the note that the file contained before. */
  readonly textHashBefore: string | null;
};

/** The changes of a folder since the last scan. */
export type FolderScan = {
  readonly edits: readonly FileEdit[];
  readonly problems: readonly FileProblem[];
  /** Known files that were not found. Their notes still exist. */
  readonly vanished: readonly string[];
  /** Files that cannot be read as notes, and links. */
  readonly unread: readonly FoundFile[];
  /** Files and folders that could not be inspected. */
  readonly unreadable: readonly FileProblem[];
  /** Paths of everything that was found; `folders` has only the folders. */
  readonly names: readonly string[];
  readonly folders: readonly string[];
};

/** The note of a file, and the base of an edit of it. */
type Identity = Pick<FileEntry, 'noteId' | 'origin'>;

/** Finds a note without a file by the text of a new file, which then becomes the note's file. */
export type FindNoteByText = (textHash: string) => Identity | null;

/**
 * Reads every file that may have changed. A moved file stays the file of its note, even if it was edited
 * too. If only the metadata of a file changed, its entry in the state is updated at once.
 */
export const scanFolder = async (
  root: string,
  { files }: FolderState,
  findNote: FindNoteByText,
): Promise<FolderScan> => {
  const { files: found, links, unreadable, names, folders } = await listFiles(root);
  const paths = new Set(found.map(({ path }) => path));
  const vanished: Vanished = new Map([...files].filter(([path]) => !paths.has(path)));
  const readings: Reading[] = [];
  for (const file of found) {
    const known = files.get(file.path);
    if (!known || known.fileHash === null || !isUnchanged(known, file)) {
      // A null reading: the file was removed since the listing, and the next scan decides.
      const reading = await readNote(root, file);
      readings.push(...(reading ? [{ known, ...reading }] : []));
    }
  }
  const moves = findMoves(vanished, readings);
  for (const { path } of moves.values()) {
    vanished.delete(path);
    files.delete(path);
  }
  const foundAt = new Map(readings.map(({ file }) => [file.path, file]));
  for (const [path, { entry }] of moves) {
    // At once, because the scan may be refused. Its text counts as unread: the note does not know of the move yet.
    keepUnread(files, foundAt.get(path), { ...entry, fileHash: null });
  }
  const edits = readings.flatMap((reading) => {
    const { path } = reading.file;
    const from = moves.get(path);
    // The previous file of this path may have moved: then another file has its name.
    const before = from?.entry ?? files.get(path);
    if (!('text' in reading)) {
      keepUnread(files, reading.file, files.get(path));
      return [];
    }
    return toEdits(files, { ...reading, before, isMoved: from !== undefined }, findNote);
  });
  const unread = readings.flatMap((reading) => ('text' in reading ? [] : [reading]));
  return {
    edits,
    problems: [...unread.map(({ file, problem }) => ({ path: file.path, problem })), ...unreadable],
    vanished: [...vanished.keys()],
    unread: [...unread.map(({ file }) => file), ...links],
    unreadable,
    names,
    folders,
  };
};

type Reading = { readonly known: FileEntry | undefined } & (
  | NoteReading
  | { readonly file: FoundFile; readonly problem: string }
);

/** A file keeps its note while it cannot be read, or was not; the next scan reads it. */
const keepUnread = (
  files: FolderState['files'],
  found: FoundFile | undefined,
  before: FileEntry | undefined,
): void => {
  if (found && before) {
    const { path, ...stats } = found;
    files.set(path, { ...before, ...stats, mtimeMs: -1 });
  }
};

type IdentifiedReading = NoteReading & {
  readonly before: FileEntry | undefined;
  readonly isMoved: boolean;
};

const toEdits = (
  files: FolderState['files'],
  reading: IdentifiedReading,
  findNote: FindNoteByText,
): FileEdit[] => {
  const { file, before, isMoved, text, fileHash, textHash } = reading;
  const { path, ...stats } = file;
  const match = before ? null : findNote(textHash);
  const { noteId, origin } = before ?? match ?? createIdentity();
  const entry = { noteId, origin, fileHash, textHash, ...stats };
  if (match || before?.textHash === textHash) {
    files.set(path, entry);
    return [];
  }
  if (!isMoved && before?.fileHash === fileHash) {
    // The file as it was written for its note, whose front matter may be stored in an earlier form.
    files.set(path, { ...entry, textHash: before.textHash });
    return [];
  }
  const kind = isMoved ? 'moved' : before ? 'changed' : 'new';
  return [{ path, entry, text, kind, textHashBefore: before?.textHash ?? null }];
};

const createIdentity = (): Identity => ({ noteId: randomUUID(), origin: { revision: null } });
