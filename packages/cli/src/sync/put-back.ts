import { link, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../describe-error.ts';
import type { FolderPaths } from './folder-paths.ts';
import { hashOf, type FolderState } from './folder-state.ts';
import { inFolderOf, inMadeFolderOf } from './held-folder.ts';
import { describeFileTrouble } from './list-files.ts';
import { readPlainFile } from './read-plain-file.ts';

/** What is known of the file of a note. */
type KnownFile = { readonly path: string; readonly fileHash: string | null };

/** The file of a note, as far as the state of the folder knows one. */
export const fileOfNote = (files: FolderState['files'], noteId: string): KnownFile | null => {
  const [path, entry] = [...files].find(([, each]) => each.noteId === noteId) ?? [];
  return path !== undefined && entry ? { path, fileHash: entry.fileHash } : null;
};

/**
 * Files that a crash or a failure left aside go back to where they were. Where there is something by
 * now, it is what was to take their place; only what we never read is then kept beside it. Gives the
 * notes of the files that could not be put anywhere: those stay aside until the next time.
 */
export const putBack = async (
  paths: FolderPaths,
  knownFile: (noteId: string) => KnownFile | null,
): Promise<ReadonlySet<string>> => {
  const left = new Set<string>();
  for (const name of await readdir(paths.replaced).catch(() => [])) {
    const noteId = name.replace(/\.md$/, '');
    const known = knownFile(noteId) ?? { path: name, fileHash: null };
    if (!(await putOneBack(paths, join(paths.replaced, name), known))) {
      left.add(noteId);
    }
  }
  return left;
};

const putOneBack = async (
  { root }: FolderPaths,
  aside: string,
  { path, fileHash }: KnownFile,
): Promise<boolean> => {
  const beside = path.replace(/\.md$/i, ` (recovered ${Date.now()}).md`);
  const isSafe =
    (await tryPlace(root, aside, path)) ||
    (await isNothingNew(root, aside, { path, fileHash })) ||
    (await tryPlace(root, aside, beside)) ||
    // Its folder may be a link or a file by now.
    (await tryPlace(root, aside, beside.replaceAll('/', ' - ')));
  if (isSafe) {
    await rm(aside, { force: true });
  }
  return isSafe;
};

/** We know what it says, or the file in its place says the same. */
const isNothingNew = async (
  root: string,
  aside: string,
  { path, fileHash }: KnownFile,
): Promise<boolean> => {
  try {
    const left = await readPlainFile(aside);
    const right = await inFolderOf(root, path, readPlainFile);
    return (
      !left ||
      (right !== null && (hashOf(left.bytes) === fileHash || left.bytes.equals(right.bytes)))
    );
  } catch (error) {
    describeFileTrouble(error);
    return false;
  }
};

const tryPlace = async (root: string, from: string, path: string): Promise<boolean> => {
  try {
    return await inMadeFolderOf(root, path, (target) => place(from, target));
  } catch (error) {
    describeFileTrouble(error);
    return false;
  }
};

/** Puts a file where there is none; false when there is one. */
export const place = async (from: string, target: string): Promise<boolean> => {
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
