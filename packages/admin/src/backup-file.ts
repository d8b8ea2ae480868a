import { link, lstat, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Throws unless a file can be created at this path: its folder is there, and nothing else is, be it an earlier backup, a
 * link or a device such as /dev/null, which a new file would replace.
 */
export const assertNewFile = async (path: string): Promise<void> => {
  const folder = dirname(path);
  const parent = await stat(folder).catch(() => null);
  if (parent?.isDirectory() !== true) {
    throw new Error(`there is no folder ${folder}. Create it first.`);
  }
  const found = await lstat(path).catch(() => null);
  if (found !== null) {
    throw new Error(
      `${path} ${kindOf(found)} and is left as it is. Name a file that does not exist, or \`-\` for standard output.`,
    );
  }
};

const kindOf = (found: Awaited<ReturnType<typeof lstat>>): string => {
  if (found.isFile()) {
    return 'exists';
  }
  if (found.isSymbolicLink()) {
    return 'is a link';
  }
  return found.isDirectory() ? 'is a folder' : 'is a device';
};

/** File systems without hard links, such as FAT, have one of these. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Gives a complete file its name, without replacing what another process has put there in the meantime. */
export const giveName = async (staging: string, path: string): Promise<void> => {
  try {
    await link(staging, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!withoutLinks.has(code) && code !== 'EEXIST') {
      throw error;
    }
    await assertNewFile(path);
    await rename(staging, path);
  }
};
