import { link, mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../describe-error.ts';
import type { FolderPaths } from './folder-paths.ts';
import { hashOf } from './folder-state.ts';

/** A file as it is to become. */
export type FileWrite = {
  readonly noteId: string;
  readonly path: string;
  /** Null: the file is to go. */
  readonly content: string | null;
  /** SHA-256 of what is there now, by our knowledge; null: there should be nothing. */
  readonly expectedHash: string | null;
};

/**
 * Replaces or removes a file, unless somebody has changed it meanwhile: then it stays as it is, and
 * the answer is false. The old file is moved aside and looked at before the new one takes its place,
 * which it does only if the place is still free. So a user's text is never overwritten, whenever it
 * is saved; and whatever a crash leaves aside is put back by `putBack`.
 */
export const replaceFile = async (paths: FolderPaths, write: FileWrite): Promise<boolean> => {
  const target = join(paths.root, write.path);
  const aside = join(paths.replaced, `${write.noteId}.md`);
  const fresh = write.content === null ? null : await prepare(paths, write.noteId, write.content);
  try {
    if (write.expectedHash !== null && !(await moveAside(target, aside, write.expectedHash))) {
      return false;
    }
    const isPlaced = fresh === null || (await placeOrUndo(fresh, { target, aside }));
    await rm(aside, { force: true });
    return isPlaced;
  } finally {
    if (fresh !== null) {
      await rm(fresh, { force: true });
    }
  }
};

/** What is known of the file of a note. */
type KnownFile = { readonly path: string; readonly fileHash: string | null };

/**
 * Files that a crash left aside go back to where they were. Where there is something by now, it is
 * what was to take their place; only what we never read is then kept beside it.
 */
export const putBack = async (
  paths: FolderPaths,
  knownFile: (noteId: string) => KnownFile | null,
): Promise<void> => {
  for (const name of await readdir(paths.replaced).catch(() => [])) {
    const aside = join(paths.replaced, name);
    const { path, fileHash } = knownFile(name.replace(/\.md$/, '')) ?? {
      path: name,
      fileHash: null,
    };
    const beside = path.replace(/\.md$/i, ` (recovered ${Date.now()}).md`);
    const isKept =
      (await place(aside, join(paths.root, path))) ||
      hashOf(await readFile(aside)) === fileHash ||
      (await isSame(aside, paths, path));
    if (!isKept) {
      await place(aside, join(paths.root, beside));
    }
    await rm(aside, { force: true });
  }
};

const isSame = async (aside: string, { root }: FolderPaths, path: string): Promise<boolean> => {
  const [left, right] = await Promise.all([readFile(aside), readFile(join(root, path))]);
  return left.equals(right);
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
  try {
    // A look before the move spares a file that was changed long ago the detour.
    if (hashOf(await readFile(target)) !== expected) {
      return false;
    }
    await rename(target, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return true;
    }
    throw error;
  }
  if (hashOf(await readFile(aside)) === expected) {
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

const undo = async ({ target, aside }: Replacement): Promise<void> => {
  await place(aside, target);
  await rm(aside, { force: true });
};

/** Puts a file where there is none; false when there is one. */
const place = async (from: string, target: string): Promise<boolean> => {
  await mkdir(dirname(target), { recursive: true });
  try {
    await link(from, target);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      return false;
    }
    throw error;
  }
};
