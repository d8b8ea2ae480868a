import { copyFile, stat, truncate } from 'node:fs/promises';

const logBytesMax = 5_000_000;

/**
 * Moves the lines of a log that is too large to `PATH.1`. The file stays the same one, because a running server appends to
 * it; what it writes between the two steps is lost.
 */
export const keepLogSmall = async (path: string, bytesMax = logBytesMax): Promise<void> => {
  const found = await stat(path).catch(() => null);
  if (found !== null && found.size > bytesMax) {
    await copyFile(path, `${path}.1`);
    await truncate(path);
  }
};
