import { createHash } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { textKey, type NoteText, type Origin } from '@commonplace/client';
import { codeOf } from '../describe-error.ts';
import { CorruptStateError } from './corrupt-state.ts';
import type { FileStats } from './file-stats.ts';
import type { FoundFile } from './list-files.ts';

/** What is known about a file since it was last read or written. Persisted as JSON. */
export type FileEntry = FileStats & {
  readonly noteId: string;
  /** SHA-256 of its bytes; null until its text is in the replica. */
  readonly fileHash: string | null;
  /** The hash of the note that it contains. */
  readonly textHash: string | null;
  /** The base of an edit of the file. */
  readonly origin: Origin;
};

/** The files of a folder by path, and the company they belong to. Persisted as JSON. */
export type FolderState = {
  readonly baseUrl: string;
  readonly companyId: string;
  readonly files: Map<string, FileEntry>;
  /**
   * Links and files unreadable as notes, from a scan with no missing files. A file that is missing later
   * is none of them, and not behind one of them.
   */
  unread: readonly FoundFile[];
  /**
   * How many files were known when deletions were first held back, until none are: files that are added meanwhile must not
   * make those that are missing a smaller share.
   */
  knownBeforeHold?: number | null;
};

/** Reads the state of a folder; null when it was never synchronised. */
export const readFolderState = async (path: string): Promise<FolderState | null> => {
  try {
    const stored = JSON.parse(await readFile(path, 'utf8')) as Stored;
    return { ...stored, files: new Map(stored.files), unread: stored.unread ?? [] };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return null;
    }
    // A TypeError: it is JSON of another form.
    const isDamaged = error instanceof SyntaxError || error instanceof TypeError;
    throw isDamaged ? new CorruptStateError(path, error) : error;
  }
};

type Stored = Pick<FolderState, 'baseUrl' | 'companyId'> & {
  readonly files: [string, FileEntry][];
  /** Absent in folders of earlier versions. */
  readonly unread?: FoundFile[];
  readonly knownBeforeHold?: number | null;
};

/** Writes the state of a folder atomically. */
export const writeFolderState = (path: string, state: FolderState): Promise<void> =>
  writeDurably(path, JSON.stringify({ ...state, files: [...state.files] }));

/**
 * Writes a state file atomically; it is on the disk when the promise resolves. The folder of the state must exist: if
 * it was moved away, it is not created again.
 */
export const writeDurably = async (path: string, text: string): Promise<void> => {
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

/** The hash of a note: equal for notes with equal fields. */
export const hashOfText = (text: NoteText): string => hashOf(textKey(text));
