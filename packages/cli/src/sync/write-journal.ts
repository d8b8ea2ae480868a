import { lstat, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileStatsOf, asUnread, type FileStats } from './file-stats.ts';
import { CorruptStateError } from './corrupt-state.ts';
import type { FolderPaths } from './folder-paths.ts';
import {
  hashOf,
  writeDurably,
  writeFolderState,
  type FileEntry,
  type FolderState,
} from './folder-state.ts';
import { withFolderOf } from './folder-handle.ts';
import { describeFileError } from './list-files.ts';
import { nullIfAbsent } from './null-if-absent.ts';
import { readPlainFile, type PlainFile } from './read-plain-file.ts';
import { replaceFile } from './replace-file.ts';

/** A file about to be written: for a new note, a moved one, or a new version. Persisted as JSON. */
export type JournalEntry = Pick<FileEntry, 'noteId' | 'origin' | 'textHash'> & {
  readonly path: string;
  /** The current path of the note's file; null when there is none. */
  readonly from: string | null;
  readonly fileHash: string;
};

/**
 * Makes durable which files are about to be written. Otherwise a program killed before it stores which of
 * them it wrote would mistake them for the user's: new files for new notes, new versions for edits.
 */
export const saveJournal = async (
  { writeJournal, staged }: FolderPaths,
  files: readonly JournalEntry[],
): Promise<void> => {
  if (files.length > 0) {
    // Files left by a failed synchronisation are not evidence for this journal.
    await clearStaged(staged);
    await writeDurably(writeJournal, JSON.stringify(files));
  }
};

/** Removes the journal and the staged files, once the state of the folder includes everything. */
export const clearJournal = async ({ writeJournal, staged }: FolderPaths): Promise<void> => {
  await rm(writeJournal, { force: true });
  await clearStaged(staged);
};

const clearStaged = async (staged: string): Promise<void> => {
  for (const name of await readdir(staged).catch(() => [])) {
    await rm(join(staged, name), { force: true });
  }
};

/** Adds what a killed program had written to the state of the folder, and completes its moves. */
export const replayJournal = async (paths: FolderPaths, state: FolderState): Promise<void> => {
  const entries = await readJournal(paths);
  for (const entry of entries) {
    await replayEntry(paths, state.files, entry);
  }
  if (entries.length > 0) {
    await writeFolderState(paths.state, state);
  }
  await clearJournal(paths);
};

const replayEntry = async (
  paths: FolderPaths,
  files: FolderState['files'],
  entry: JournalEntry,
): Promise<void> => {
  const { path, from, noteId, origin, textHash } = entry;
  const isOldKnown = path === from ? files.get(path)?.noteId === noteId : !files.has(path);
  const written = isOldKnown ? await findWrittenFile(paths, files, entry) : null;
  if (written && (path === from || (await finishMove(paths, files, entry)))) {
    if (from !== null) {
      files.delete(from);
    }
    files.set(path, { noteId, origin, textHash, ...written });
  }
};

/** The known facts about a file that was written. */
type WrittenFile = FileStats & Pick<FileEntry, 'fileHash'>;

/**
 * Returns the file at the entry's path if the program wrote it: it has the planned text, or it is the
 * written file, edited since, which still has its second name in the state folder. Any other file was
 * created by someone else after the kill: it stays, and becomes a new note.
 *
 * If the path is free and the written file still has two names, the user has moved it or its folder since.
 * The next scan finds it under its new name, like any moved file.
 */
const findWrittenFile = async (
  paths: FolderPaths,
  files: ReadonlyMap<string, FileEntry>,
  { path, from, noteId, fileHash }: JournalEntry,
): Promise<WrittenFile | null> => {
  const found = await readAt(paths, path);
  const stagedStats = await lstat(join(paths.staged, `${noteId}.md`)).catch(nullIfAbsent);
  if (!found) {
    const isMovedAway = stagedStats !== null && stagedStats.nlink > 1;
    const isKnown = (): boolean =>
      [...files].some(([known, entry]) => entry.noteId === noteId && known !== from);
    return isMovedAway && !isKnown() ? { ...asUnread(fileStatsOf(stagedStats)), fileHash } : null;
  }
  const isWritten = hashOf(found.bytes) === fileHash || found.stats.inode === stagedStats?.ino;
  return isWritten ? { ...asUnread(found.stats), fileHash: null } : null;
};

/**
 * Removes the old file of a move. If the user has changed it since, or it cannot be removed, the old file
 * stays and the new one is removed. A read-only folder must not block the other files.
 */
const finishMove = async (
  paths: FolderPaths,
  files: ReadonlyMap<string, FileEntry>,
  { path, from, noteId, fileHash }: JournalEntry,
): Promise<boolean> => {
  const old = from === null ? null : await readAt(paths, from);
  if (from === null || old === null) {
    return true;
  }
  const known = files.get(from)?.fileHash ?? null;
  const remove = async (gone: string, expectedHash: string): Promise<boolean> => {
    try {
      return await replaceFile(paths, { noteId, path: gone, content: null, expectedHash });
    } catch (error) {
      describeFileError(error);
      return false;
    }
  };
  if (known !== null && (await remove(from, known))) {
    return true;
  }
  await remove(path, fileHash);
  return false;
};

const readJournal = async ({ writeJournal }: FolderPaths): Promise<readonly JournalEntry[]> => {
  const file = await readFile(writeJournal, 'utf8').catch(nullIfAbsent);
  try {
    return JSON.parse(file ?? '[]') as JournalEntry[];
  } catch (error) {
    throw new CorruptStateError(writeJournal, error);
  }
};

/** Null unless the path is a readable file: the program wrote nothing else. */
const readAt = async ({ root }: FolderPaths, path: string): Promise<PlainFile | null> => {
  try {
    return await withFolderOf(root, path, readPlainFile);
  } catch (error) {
    describeFileError(error);
    return null;
  }
};
