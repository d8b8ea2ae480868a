import { chmod, chown, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../describe-error.ts';
import type { FolderPaths } from './folder-paths.ts';
import { identityOf, neverLookedAt, toBeRead, type FileStats } from './file-stats.ts';
import { hashOf } from './folder-state.ts';
import { BlockedPathError, inFolderOf, inMadeFolderOf } from './held-folder.ts';
import { describeFileTrouble } from './list-files.ts';
import { place } from './put-back.ts';
import { readPlainFile } from './read-plain-file.ts';

/** A file as it is to become. */
export type FileWrite = {
  readonly noteId: string;
  readonly path: string;
  /** Null: the file is to go. */
  readonly content: string | null;
  /** SHA-256 of what is there now, by our knowledge; null: there should be nothing. */
  readonly expectedHash: string | null;
  /** The path of the file whose mode and owner the new one takes over; its own, unless it moves. */
  readonly like?: string | null;
};

/**
 * Replaces or removes a file, unless somebody has changed it meanwhile: then it stays as it is, and
 * the answer is false. The old file is moved aside and looked at before the new one takes its place,
 * which it does only if the place is still free. So a user's text is never overwritten, whenever it
 * is saved; and whatever a crash leaves aside is put back by `putBack`.
 *
 * The new file keeps its second name in our own folder until the plan is dropped: it proves after a
 * kill that the file is ours. Throws a BlockedPathError where a link or a file is in the way.
 */
export const replaceFile = async (paths: FolderPaths, write: FileWrite): Promise<boolean> => {
  const { root } = paths;
  const { content, path, noteId } = write;
  const fresh = content === null ? null : await prepare(paths, noteId, content);
  const isDone = await (content === null ? inFolderOf : inMadeFolderOf)(root, path, (target) =>
    exchange(paths, { ...write, target, fresh }),
  ).catch(async (error: unknown) => {
    await dropFresh(fresh);
    throw error;
  });
  if (isDone === false) {
    await dropFresh(fresh);
  }
  // Where there is no folder, there is no file to remove.
  return isDone ?? true;
};

/**
 * Which file was written for a note, until the plan is dropped: it stays that note's under whatever name
 * and with whatever bytes the next look finds it. Its bytes count as unread, since it may be edited
 * already, and nobody could tell by its times.
 */
export const writtenFile = async ({ fresh }: FolderPaths, noteId: string): Promise<FileStats> => {
  const found = await lstat(join(fresh, `${noteId}.md`)).catch(nullIfAbsent);
  return found ? toBeRead(identityOf(found)) : neverLookedAt;
};

const dropFresh = async (fresh: string | null): Promise<void> => {
  if (fresh !== null) {
    await rm(fresh, { force: true });
  }
};

type Exchange = FileWrite & { readonly target: string; readonly fresh: string | null };

const exchange = async (paths: FolderPaths, write: Exchange): Promise<boolean> => {
  const { target, fresh, noteId, expectedHash, like } = write;
  if (expectedHash === null && fresh === null) {
    return isFree(target);
  }
  const aside = join(paths.replaced, `${noteId}.md`);
  if (expectedHash !== null && !(await moveAside(target, aside, expectedHash))) {
    return false;
  }
  if (fresh === null) {
    await rm(aside, { force: true });
    return true;
  }
  if (like) {
    await inFolderOf(paths.root, like, (model) => takeOver(fresh, model));
  } else {
    await takeOver(fresh, aside);
  }
  const isPlaced = await placeOrUndo(fresh, { target, aside });
  // The file is in its place: that what it replaced cannot be removed must not say otherwise. The next
  // look finds it aside, knows what it says, and tries again.
  await rm(aside, { force: true }).catch(describeFileTrouble);
  return isPlaced;
};

const isFree = async (target: string): Promise<boolean> =>
  (await lstat(target).catch(nullIfAbsent)) === null;

const nullIfAbsent = (error: unknown): null => {
  if (codeOf(error) === 'ENOENT') {
    return null;
  }
  throw error;
};

/** A new version has the mode of the old one, and where we may say so, its owner. */
const takeOver = async (fresh: string, model: string): Promise<void> => {
  const [was, is] = await Promise.all([lstat(model).catch(nullIfAbsent), lstat(fresh)]);
  if (!was?.isFile()) {
    return;
  }
  if (was.uid !== is.uid || was.gid !== is.gid) {
    // Only root may give files to others.
    await chown(fresh, was.uid, was.gid).catch(() => undefined);
  }
  await chmod(fresh, was.mode & 0o777);
};

const prepare = async (
  { fresh }: FolderPaths,
  noteId: string,
  content: string,
): Promise<string> => {
  await mkdir(fresh, { recursive: true });
  const path = join(fresh, `${noteId}.md`);
  // What a crash left here may be linked into its place already: to write into it would write there.
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

/** Moves a file aside if it holds what we know; puts it back if it does not. */
const moveAside = async (target: string, aside: string, expected: string): Promise<boolean> => {
  await mkdir(dirname(aside), { recursive: true });
  // A look before the move spares a file that was changed long ago the detour.
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
  // Saved between the look and the move. A file that has taken the place since is the newer save.
  await undo({ target, aside });
  return false;
};

type Replacement = { readonly target: string; readonly aside: string };

/** Without room or permission for the new file the old one comes back, or it would count as gone. */
const placeOrUndo = async (fresh: string, replacement: Replacement): Promise<boolean> => {
  try {
    return await place(fresh, replacement.target);
  } catch (error) {
    await undo(replacement).catch(() => undefined);
    throw error;
  }
};

/** What has no second name, such as a folder, is moved back instead. */
const undo = async ({ target, aside }: Replacement): Promise<void> => {
  const found = await lstat(aside);
  if (found.isDirectory()) {
    if (!(await isFree(target))) {
      throw new BlockedPathError('a folder was put in its place');
    }
    await rename(aside, target);
    return;
  }
  await place(aside, target);
  await rm(aside, { force: true });
};
