import { chmod, chown, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../describe-error.ts';
import type { FolderPaths } from './folder-paths.ts';
import { fileStatsOf, unreadStats, asUnread, type FileStats } from './file-stats.ts';
import { hashOf } from './folder-state.ts';
import { BlockedPathError, withFolderOf, withCreatedFolderOf } from './folder-handle.ts';
import { describeFileError } from './list-files.ts';
import { nullIfAbsent } from './null-if-absent.ts';
import { linkIfFree } from './restore-interrupted.ts';
import { readPlainFile } from './read-plain-file.ts';

/** A file operation: write or remove. */
export type FileWrite = {
  readonly noteId: string;
  readonly path: string;
  /** Null removes the file. */
  readonly content: string | null;
  /** SHA-256 of the expected current content; null when the path should be free. */
  readonly expectedHash: string | null;
  /** The file whose mode and owner the new one gets; by default, the one it replaces. */
  readonly modeFrom?: string | null;
};

/**
 * Replaces or removes a file. If it was changed meanwhile, it stays as it is, and the result is false. The
 * old file is moved aside and its hash compared before the new one is linked, and only if the path is
 * still free. So the text of a user is never overwritten, whenever it is saved. `restoreInterrupted`
 * restores files that a crash leaves aside.
 *
 * Until the journal is cleared, the new file keeps a second name in the state folder, which proves after a
 * kill that the program wrote it. Throws a BlockedPathError when a link or a file blocks the path.
 */
export const replaceFile = async (paths: FolderPaths, write: FileWrite): Promise<boolean> => {
  const { root } = paths;
  const { content, path, noteId } = write;
  assertFileName(noteId);
  const stagedPath = content === null ? null : await writeStaged(paths, noteId, content);
  const isDone = await (content === null ? withFolderOf : withCreatedFolderOf)(
    root,
    path,
    (target) => swapFile(paths, { ...write, target, stagedPath }),
  ).catch(async (error: unknown) => {
    await removeStaged(stagedPath);
    throw error;
  });
  if (isDone === false) {
    await removeStaged(stagedPath);
  }
  // Null means the folder does not exist, so there is no file to remove.
  return isDone ?? true;
};

/** Files of the state folder are named after their note, whose id the server chose. */
const assertFileName = (noteId: string): void => {
  if (noteId !== basename(noteId) || noteId.includes('\\')) {
    throw new BlockedPathError('the id of its note is not a file name');
  }
};

/**
 * Returns the identity of the file written for a note, until the journal is cleared. The next scan assigns
 * that file to the note whatever its name and content. Its content counts as unread, because it may have
 * been edited already, which its times would not show.
 */
export const writtenFile = async ({ staged }: FolderPaths, noteId: string): Promise<FileStats> => {
  const found = await lstat(join(staged, `${noteId}.md`)).catch(nullIfAbsent);
  return found ? asUnread(fileStatsOf(found)) : unreadStats;
};

const removeStaged = async (stagedPath: string | null): Promise<void> => {
  if (stagedPath !== null) {
    await rm(stagedPath, { force: true });
  }
};

type SwapRequest = FileWrite & { readonly target: string; readonly stagedPath: string | null };

const swapFile = async (paths: FolderPaths, write: SwapRequest): Promise<boolean> => {
  const { target, stagedPath, noteId, expectedHash, modeFrom } = write;
  if (expectedHash === null && stagedPath === null) {
    return isFree(target);
  }
  const aside = join(paths.displaced, `${noteId}.md`);
  if (expectedHash !== null && !(await moveAside(target, aside, expectedHash))) {
    return false;
  }
  if (stagedPath === null) {
    await rm(aside, { force: true });
    return true;
  }
  if (modeFrom) {
    await withFolderOf(paths.root, modeFrom, (model) => copyModeAndOwner(stagedPath, model));
  } else {
    await copyModeAndOwner(stagedPath, aside);
  }
  const isLinked = await linkOrUndo(stagedPath, { target, aside });
  // The new file is in place, so a failure to remove the old one is not a failure of the operation. The next
  // run finds it aside, recognises its content, and removes it.
  await rm(aside, { force: true }).catch(describeFileError);
  return isLinked;
};

const isFree = async (target: string): Promise<boolean> =>
  (await lstat(target).catch(nullIfAbsent)) === null;

/** Copies the mode and, where permitted, the owner of the old version. */
const copyModeAndOwner = async (stagedPath: string, model: string): Promise<void> => {
  const [oldStats, newStats] = await Promise.all([
    lstat(model).catch(nullIfAbsent),
    lstat(stagedPath),
  ]);
  if (!oldStats?.isFile()) {
    return;
  }
  if (oldStats.uid !== newStats.uid || oldStats.gid !== newStats.gid) {
    // Only root may change the owner.
    await chown(stagedPath, oldStats.uid, oldStats.gid).catch(() => undefined);
  }
  await chmod(stagedPath, oldStats.mode & 0o777);
};

const writeStaged = async (
  { staged }: FolderPaths,
  noteId: string,
  content: string,
): Promise<string> => {
  await makeStateFolder(staged);
  const path = join(staged, `${noteId}.md`);
  // A file left by a crash may be linked to its path already, and must not be written to.
  await rm(path, { force: true });
  const file = await open(path, 'wx');
  try {
    await file.writeFile(content);
    await file.datasync();
  } finally {
    await file.close();
  }
  return path;
};

/** The folder around it exists, unless the whole folder was moved away: then nothing is written in its place. */
const makeStateFolder = async (path: string): Promise<void> => {
  await mkdir(path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') {
      throw error;
    }
  });
};

/** Moves a file aside if it has the expected content; otherwise moves it back. */
const moveAside = async (target: string, aside: string, expected: string): Promise<boolean> => {
  await makeStateFolder(dirname(aside));
  // Checking first avoids moving a file that has changed long ago.
  const before = await readPlainFile(target);
  if (!before) {
    return true;
  }
  if (hashOf(before.bytes) !== expected) {
    return false;
  }
  try {
    await rename(target, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return true;
    }
    throw error;
  }
  const after = await readPlainFile(aside).catch(() => null);
  if (after && hashOf(after.bytes) === expected) {
    return true;
  }
  // Saved between the check and the move. A file that took the path since then is a newer save.
  await restore({ target, aside });
  return false;
};

type Replacement = { readonly target: string; readonly aside: string };

/** If the new file cannot be linked, the old one is moved back, or it would count as deleted. */
const linkOrUndo = async (stagedPath: string, replacement: Replacement): Promise<boolean> => {
  try {
    return await linkIfFree(stagedPath, replacement.target);
  } catch (error) {
    await restore(replacement).catch(() => undefined);
    throw error;
  }
};

/** Links the old file back to its path. A folder cannot be linked, so it is renamed. */
const restore = async ({ target, aside }: Replacement): Promise<void> => {
  const found = await lstat(aside);
  if (found.isDirectory()) {
    if (!(await isFree(target))) {
      throw new BlockedPathError('a folder was put in its place');
    }
    await rename(aside, target);
    return;
  }
  await linkIfFree(aside, target);
  await rm(aside, { force: true });
};
