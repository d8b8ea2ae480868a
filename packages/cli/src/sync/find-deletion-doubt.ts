import { lstat } from 'node:fs/promises';
import { codeOf } from '../describe-error.ts';
import { withFolderOf } from './folder-handle.ts';
import type { FileStats } from './file-stats.ts';
import { describeFileError, deviceOf } from './list-files.ts';

/**
 * Returns why a missing file may still exist; null when it is deleted. A file counts as deleted only if the
 * file system reports ENOENT for this path, below folders that are not links. A folder that cannot be
 * entered, a link in the path and a hidden name prove nothing, and neither does a folder whose disk is not mounted.
 */
export const findDeletionDoubt = async (
  root: string,
  path: string,
  { isOnOtherDevice }: Pick<FileStats, 'isOnOtherDevice'> = {},
): Promise<string | null> => {
  if (path.split('/').some((segment) => segment.startsWith('.'))) {
    return 'its name is hidden';
  }
  try {
    if (isOnOtherDevice && !(await isMounted(root, path))) {
      return 'it was on another file system, which is not mounted';
    }
    return await withFolderOf(root, path, doubtAt);
  } catch (error) {
    return describeFileError(error);
  }
};

const isMounted = async (root: string, path: string): Promise<boolean> => {
  const device = await deviceOf(root, path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  return device !== null && device !== (await deviceOf(root, ''));
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
