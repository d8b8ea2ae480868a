import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { textKey, type NoteText, type Origin } from '@commonplace/client';
import { codeOf } from '../describe-error.ts';
import type { FileStats } from './file-stats.ts';
import type { FoundFile } from './list-files.ts';

/** What is known of a file since it was read or written last. */
export type FileEntry = FileStats & {
  readonly noteId: string;
  /** SHA-256 of its bytes; null: the file was seen, and its note is not in the replica yet. */
  readonly fileHash: string | null;
  /** Of the note it says. */
  readonly textHash: string | null;
  /** What an edit of the file is made from. */
  readonly origin: Origin;
};

/** The files of a folder by their paths, and the company they belong to. */
export type FolderState = {
  readonly baseUrl: string;
  readonly companyId: string;
  readonly files: Map<string, FileEntry>;
  /**
   * Links, and files that could not be read as notes, of a look that missed no file: no file that is
   * missed later can be one of them, or behind one of them.
   */
  unread: readonly FoundFile[];
};

/** Reads what is known of a folder; null when it was never synchronised. */
export const readFolderState = async (path: string): Promise<FolderState | null> => {
  try {
    const stored = JSON.parse(await readFile(path, 'utf8')) as Stored;
    return { ...stored, files: new Map(stored.files), unread: stored.unread ?? [] };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return null;
    }
    throw error;
  }
};

type Stored = Pick<FolderState, 'baseUrl' | 'companyId'> & {
  readonly files: [string, FileEntry][];
  /** Folders of earlier versions have none. */
  readonly unread?: FoundFile[];
};

/** Writes what is known of a folder: all of it or nothing. */
export const writeFolderState = (path: string, state: FolderState): Promise<void> =>
  writeDurably(path, JSON.stringify({ ...state, files: [...state.files] }));

/** Writes a file of our own: all of it or nothing, and on the disk when it resolves. */
export const writeDurably = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
};

/** SHA-256 of bytes, in hexadecimal. */
export const hashOf = (bytes: Buffer | string): string =>
  createHash('sha256').update(bytes).digest('hex');

/** The same for two notes that say the same. */
export const hashOfText = (text: NoteText): string => hashOf(textKey(text));
