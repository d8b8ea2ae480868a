import { randomUUID } from 'node:crypto';
import type { NoteText } from '@commonplace/client';
import { isUnchanged } from './file-stats.ts';
import { findMoves, type Vanished } from './find-moves.ts';
import type { FileEntry, FolderState } from './folder-state.ts';
import { listFiles, type FileProblem, type FoundFile } from './list-files.ts';
import { readNote, type NoteReading } from './read-note.ts';

/** A file that says something else than the replica knows of it. */
export type FileEdit = {
  readonly path: string;
  readonly entry: FileEntry;
  readonly text: NoteText;
  readonly kind: 'new' | 'changed' | 'moved';
  /** What the file said before, as a hash of the note. */
  readonly textHashBefore: string | null;
};

/** What has become of the files since the last look. */
export type FolderReading = {
  readonly edits: readonly FileEdit[];
  readonly problems: readonly FileProblem[];
  /** Files that were not found; their notes are not gone. */
  readonly vanished: readonly string[];
  /** Files that are no notes as they are, and links. */
  readonly unread: readonly FoundFile[];
  /** Files and folders that could not be looked at. */
  readonly unreadable: readonly FileProblem[];
  /** Paths of everything that was found, and of the folders among it. */
  readonly names: readonly string[];
  readonly folders: readonly string[];
};

/** Which note a file belongs to, and what an edit of it is made from. */
type Identity = Pick<FileEntry, 'noteId' | 'origin'>;

/** Finds the note without a file that says what a new file says: then the file is that note's. */
export type Adopt = (textHash: string) => Identity | null;

/**
 * Looks at every file that is not as it was. A file that was moved, edited or not, stays the file of
 * its note. Files that only look different are brought up to date in the state at once.
 */
export const readEdits = async (
  root: string,
  { files }: FolderState,
  adopt: Adopt,
): Promise<FolderReading> => {
  const { files: found, links, unreadable, names, folders } = await listFiles(root);
  const paths = new Set(found.map(({ path }) => path));
  const vanished: Vanished = new Map([...files].filter(([path]) => !paths.has(path)));
  const readings: Reading[] = [];
  for (const file of found) {
    const known = files.get(file.path);
    if (!known || known.fileHash === null || !isUnchanged(known, file)) {
      // Gone since it was listed: the next look tells.
      const reading = await readNote(root, file);
      readings.push(...(reading ? [{ known, ...reading }] : []));
    }
  }
  const moves = findMoves(vanished, readings);
  for (const { path } of moves.values()) {
    vanished.delete(path);
    files.delete(path);
  }
  const edits = readings.flatMap((reading) => {
    const { path } = reading.file;
    const from = moves.get(path);
    // The file that was here may be elsewhere by now: then another one has its name.
    const before = from?.entry ?? files.get(path);
    if (!('text' in reading)) {
      keepUnread(files, reading.file, before);
      return [];
    }
    return takeReading(files, { ...reading, before, isMoved: from !== undefined }, adopt);
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

/** A renamed file stays its note's also while it cannot be read. */
const keepUnread = (
  files: FolderState['files'],
  { path, ...stats }: FoundFile,
  before: FileEntry | undefined,
): void => {
  if (before) {
    files.set(path, { ...before, ...stats, mtimeMs: -1 });
  }
};

type Taken = NoteReading & { readonly before: FileEntry | undefined; readonly isMoved: boolean };

const takeReading = (files: FolderState['files'], reading: Taken, adopt: Adopt): FileEdit[] => {
  const { file, before, isMoved, text, fileHash, textHash } = reading;
  const { path, ...stats } = file;
  const adopted = before ? null : adopt(textHash);
  const { noteId, origin } = before ?? adopted ?? newIdentity();
  const entry = { noteId, origin, fileHash, textHash, ...stats };
  if (adopted || before?.textHash === textHash) {
    files.set(path, entry);
    return [];
  }
  const kind = isMoved ? 'moved' : before ? 'changed' : 'new';
  return [{ path, entry, text, kind, textHashBefore: before?.textHash ?? null }];
};

const newIdentity = (): Identity => ({ noteId: randomUUID(), origin: { revision: null } });
