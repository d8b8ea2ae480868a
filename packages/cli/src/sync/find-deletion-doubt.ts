import { lstat } from 'node:fs/promises';
import { codeOf } from '../describe-error.ts';
import { withFolderOf } from './folder-handle.ts';
import { describeFileError } from './list-files.ts';

/**
 * Returns why a missing file may still exist; null when it is deleted. A file counts as deleted only if the
 * file system reports ENOENT for this path, below folders that are not links. A folder that cannot be
 * entered, a link in the path and a hidden name prove nothing.
 */
export const findDeletionDoubt = async (root: string, path: string): Promise<string | null> => {
  if (path.split('/').some((segment) => segment.startsWith('.'))) {
    return 'its name is hidden';
  }
  try {
    return await withFolderOf(root, path, doubtAt);
  } catch (error) {
    return describeFileError(error);
  }
};

const doubtAt = async (target: string): Promise<string | null> => {
  try {
    const stats = await lstat(target);
    return stats.isFile() ? 'it exists again' : 'another entry has its name';
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return null;
    }
    throw error;
  }
};
