import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NoteText } from '@commonplace/client';
import { noteInput } from '@commonplace/contracts';
import { hashOf, hashOfText, type FileEntry, type FolderState } from './folder-state.ts';
import { describeError } from '../describe-error.ts';
import { listFiles, type FoundFile } from './list-files.ts';
import { readNoteFile, UnreadableFileError } from './note-file.ts';
import { placeOf } from './note-path.ts';

/** A file that says something else than the replica knows of it. */
export type FileEdit = {
  readonly path: string;
  readonly entry: FileEntry;
  readonly text: NoteText;
  readonly kind: 'new' | 'changed' | 'moved';
  /** What the file said before, as a hash of the note. */
  readonly textHashBefore: string | null;
};

/** A file that cannot be synchronised as it is. */
type FileProblem = { readonly path: string; readonly problem: string };

/** What has become of the files since the last look. */
export type FolderReading = {
  readonly edits: readonly FileEdit[];
  readonly problems: readonly FileProblem[];
  /** Files that are gone; their notes are not. */
  readonly vanished: readonly string[];
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
  const found = await listFiles(root);
  const paths = new Set(found.map(({ path }) => path));
  const vanished = new Map([...files].filter(([path]) => !paths.has(path)));
  const edits: FileEdit[] = [];
  const problems: FileProblem[] = [];
  for (const file of found) {
    const known = files.get(file.path);
    if (known && isAsBefore(known, file)) {
      continue;
    }
    const reading = await readNote(root, file.path);
    if ('problem' in reading) {
      problems.push(reading);
      continue;
    }
    const from = known ? null : movedFrom(vanished, { ...file, ...reading });
    if (from) {
      vanished.delete(from.path);
      files.delete(from.path);
    }
    const { fileHash, textHash, text } = reading;
    const before = known ?? from?.entry;
    const adopted = before ? null : adopt(textHash);
    const { noteId, origin } = before ?? adopted ?? newIdentity();
    const { size, mtimeMs, inode } = file;
    const entry = { noteId, origin, fileHash, textHash, size, mtimeMs, inode };
    if (adopted || before?.textHash === textHash) {
      files.set(file.path, entry);
    } else {
      edits.push({
        path: file.path,
        entry,
        text,
        kind: known ? 'changed' : from ? 'moved' : 'new',
        textHashBefore: before?.textHash ?? null,
      });
    }
  }
  return { edits, problems, vanished: [...vanished.keys()] };
};

const newIdentity = (): Identity => ({ noteId: randomUUID(), origin: { revision: null } });

/** Nothing was written since: a write changes the time, a new file in its place the inode. */
const isAsBefore = (entry: FileEntry, { size, mtimeMs, inode }: FoundFile): boolean =>
  entry.fileHash !== null &&
  entry.size === size &&
  entry.mtimeMs === mtimeMs &&
  entry.inode === inode;

type NoteReading = {
  readonly text: NoteText;
  readonly fileHash: string;
  readonly textHash: string;
};

const readNote = async (root: string, path: string): Promise<NoteReading | FileProblem> => {
  const bytes = await readFile(join(root, path)).catch(describeError);
  if (typeof bytes === 'string') {
    return { path, problem: bytes };
  }
  if (!isUtf8(bytes)) {
    return { path, problem: 'it is not UTF-8' };
  }
  try {
    const text = readNoteFile(bytes.toString('utf8'), placeOf(path));
    const checked = noteInput.safeParse(text);
    return checked.success
      ? { text, fileHash: hashOf(bytes), textHash: hashOfText(text) }
      : { path, problem: describeIssue(checked.error.issues[0]) };
  } catch (error) {
    if (error instanceof UnreadableFileError) {
      return { path, problem: error.message };
    }
    throw error;
  }
};

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

const describeIssue = (issue: Issue | undefined): string =>
  `${issue?.path.map(String).join('.') || 'the note'} ${issue?.message ?? 'is not valid'}`;

/** The vanished file that a new one was: the same bytes, or the same file under another name. */
const movedFrom = (
  vanished: ReadonlyMap<string, FileEntry>,
  file: { readonly inode: number; readonly fileHash: string },
): { readonly path: string; readonly entry: FileEntry } | null => {
  for (const [path, entry] of vanished) {
    if (entry.fileHash === file.fileHash || entry.inode === file.inode) {
      return { path, entry };
    }
  }
  return null;
};
