import { lstat } from 'node:fs/promises';
import { codeOf } from '../describe-error.ts';
import { inFolderOf } from './held-folder.ts';
import { describeFileTrouble } from './list-files.ts';

/**
 * Why a file that a look missed may still be there; null when it is gone. Gone is only what the file
 * system says is not there (ENOENT) at this very path, below folders that are no links: a folder that
 * cannot be entered, a link in the path or a hidden name prove nothing.
 */
export const findDoubt = async (root: string, path: string): Promise<string | null> => {
  if (path.split('/').some((segment) => segment.startsWith('.'))) {
    return 'its name is a hidden one';
  }
  try {
    return await inFolderOf(root, path, doubtAt);
  } catch (error) {
    return describeFileTrouble(error);
  }
};

const doubtAt = async (target: string): Promise<string | null> => {
  try {
    const stats = await lstat(target);
    return stats.isFile() ? 'it is there again' : 'something else has its name';
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return null;
    }
    throw error;
  }
};
