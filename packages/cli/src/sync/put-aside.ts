import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../describe-error.ts';
import { BlockedPathError, withFolderOf } from './folder-handle.ts';
import type { FolderPaths } from './folder-paths.ts';
import { hashOf } from './folder-state.ts';
import { readPlainFile } from './read-plain-file.ts';

/**
 * Copies a file to the folder of removed ones, by its path, if it has the expected content; one that was edited stays
 * where it is. A different file of that name there gets a part of its hash, so that none is replaced, and a repetition
 * after a kill copies nothing twice.
 */
export const putAside = async (
  { root, removed }: FolderPaths,
  path: string,
  expectedHash: string | null,
): Promise<void> => {
  const found = await withFolderOf(root, path, readPlainFile);
  if (!found || hashOf(found.bytes) !== expectedHash) {
    return;
  }
  const names = [path, `${path.replace(/\.md$/, '')} (${expectedHash.slice(0, 8)}).md`];
  await mkdir(dirname(join(removed, path)), { recursive: true });
  for (const name of names) {
    const target = join(removed, name);
    const isWritten = await writeFile(target, found.bytes, { flag: 'wx', flush: true }).then(
      () => true,
      isTaken,
    );
    const same = isWritten ? null : await readPlainFile(target);
    if (isWritten || (same && hashOf(same.bytes) === expectedHash)) {
      return;
    }
  }
  throw new BlockedPathError('the folder of removed files has other files of its name');
};

/** False: the name is taken. */
const isTaken = (error: unknown): boolean => {
  if (codeOf(error) === 'EEXIST') {
    return false;
  }
  throw error;
};
