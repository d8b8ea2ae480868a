import { stat, truncate, writeFile } from 'node:fs/promises';
import { readEnd } from './read-end.ts';

const logBytesMax = 5_000_000;
const newline = 10;

/**
 * Moves the last lines of a log that is too large to `PATH.1`, however large it is, and drops those before. The file stays
 * the same one, because a running server appends to it; what it writes between the steps is lost. It is emptied first: a full
 * disk then has room for the lines.
 */
export const keepLogSmall = async (path: string, bytesMax = logBytesMax): Promise<void> => {
  const found = await stat(path).catch(() => null);
  if (found !== null && found.size > bytesMax) {
    const end = await readEnd(path, { bytesMax });
    await truncate(path);
    await writeFile(`${path}.1`, end.subarray(end.indexOf(newline) + 1), { mode: 0o600 });
  }
};
