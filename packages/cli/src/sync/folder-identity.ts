import { randomUUID } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../describe-error.ts';
import type { FolderPaths } from './folder-paths.ts';
import { writeDurably } from './folder-state.ts';

/** What proves that a path still leads to the folder that was opened. */
export type FolderIdentity = {
  /** Device and inode of the root and of the folder with the state. */
  readonly places: readonly string[];
  /** A random id in a file of the folder: inodes are reused. */
  readonly id: string;
};

/** The path leads to another folder than before, or to none. */
class FolderReplacedError extends Error {
  constructor(root: string) {
    super(
      `${root} is not the folder that was opened: it was renamed, replaced or unmounted. ` +
        'Nothing was deleted. If it is back at another place, start the synchronisation again there',
    );
  }
}

/** Returns the identity of an opened folder; a new folder gets an id. */
export const identifyFolder = async (paths: FolderPaths): Promise<FolderIdentity> => {
  const found = await findIdentity(paths);
  if (found?.id) {
    return found;
  }
  await writeDurably(paths.id, `${randomUUID()}\n`);
  return (await findIdentity(paths)) ?? fail(paths);
};

/**
 * Throws a FolderReplacedError unless the paths lead to the same folder. An unmounted disk leaves an empty folder,
 * in which every file would count as deleted.
 */
export const assertSameFolder = async (
  paths: FolderPaths,
  identity: FolderIdentity,
): Promise<void> => {
  const now = await findIdentity(paths);
  const isSame =
    now?.id === identity.id && now.places.every((place, at) => place === identity.places[at]);
  if (!isSame) {
    fail(paths);
  }
};

const fail = ({ root }: FolderPaths): never => {
  throw new FolderReplacedError(root);
};

/** Null without one of the folders; the id is empty without its file. */
const findIdentity = async (paths: FolderPaths): Promise<FolderIdentity | null> => {
  try {
    const folders = [await lstat(paths.root), await lstat(dirname(paths.id))];
    const id = await readFile(paths.id, 'utf8').catch(emptyIfAbsent);
    return { places: folders.map(({ dev, ino }) => `${dev}:${ino}`), id: id.trim() };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) {
      return null;
    }
    throw error;
  }
};

const emptyIfAbsent = (error: unknown): string => {
  if (codeOf(error) === 'ENOENT') {
    return '';
  }
  throw error;
};
