import { link, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../describe-error.ts';
import type { FolderPaths } from './folder-paths.ts';
import { hashOf, type FolderState } from './folder-state.ts';
import { withFolderOf, withCreatedFolderOf } from './folder-handle.ts';
import { describeFileError } from './list-files.ts';
import { readPlainFile } from './read-plain-file.ts';

/** The known file of a note. */
type KnownFile = { readonly path: string; readonly fileHash: string | null };

/** Returns the file of a note according to the state of the folder, or null. */
export const fileOfNote = (files: FolderState['files'], noteId: string): KnownFile | null => {
  const [path, entry] = [...files].find(([, each]) => each.noteId === noteId) ?? [];
  return path !== undefined && entry ? { path, fileHash: entry.fileHash } : null;
};

/**
 * Restores files that a crash or a failure left moved aside. If their path is taken, by their successor,
 * only text that was never read is kept, in a file beside it. Returns the ids of the notes whose files
 * could not be restored: those files stay aside until the next attempt.
 */
export const restoreInterrupted = async (
  paths: FolderPaths,
  knownFile: (noteId: string) => KnownFile | null,
): Promise<ReadonlySet<string>> => {
  const left = new Set<string>();
  for (const name of await readdir(paths.displaced).catch(() => [])) {
    const noteId = name.replace(/\.md$/, '');
    const known = knownFile(noteId) ?? { path: name, fileHash: null };
    if (!(await restoreOne(paths, join(paths.displaced, name), known))) {
      left.add(noteId);
    }
  }
  return left;
};

const restoreOne = async (
  { root }: FolderPaths,
  aside: string,
  { path, fileHash }: KnownFile,
): Promise<boolean> => {
  const beside = path.replace(/\.md$/i, ` (recovered ${Date.now()}).md`);
  const isSafe =
    (await tryToLink(root, aside, path)) ||
    (await isAlreadyKnown(root, aside, { path, fileHash })) ||
    (await tryToLink(root, aside, beside)) ||
    // Its folder may have become a link or a file.
    (await tryToLink(root, aside, beside.replaceAll('/', ' - ')));
  if (isSafe) {
    await rm(aside, { force: true });
  }
  return isSafe;
};

/** Whether its text was read before, or equals that of the file in its place. */
const isAlreadyKnown = async (
  root: string,
  aside: string,
  { path, fileHash }: KnownFile,
): Promise<boolean> => {
  try {
    const left = await readPlainFile(aside);
    const right = await withFolderOf(root, path, readPlainFile);
    return (
      !left ||
      (right !== null && (hashOf(left.bytes) === fileHash || left.bytes.equals(right.bytes)))
    );
  } catch (error) {
    describeFileError(error);
    return false;
  }
};

const tryToLink = async (root: string, from: string, path: string): Promise<boolean> => {
  try {
    return await withCreatedFolderOf(root, path, (target) => linkIfFree(from, target));
  } catch (error) {
    describeFileError(error);
    return false;
  }
};

/** Links a file to a path without replacing anything. Returns false when the path is taken. */
export const linkIfFree = async (from: string, target: string): Promise<boolean> => {
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
