import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { codeOf } from '../describe-error.ts';
import { BlockedPathError } from './folder-handle.ts';
import { fileStatsOf, type FileStats } from './file-stats.ts';

/** A file's bytes, and the metadata of the same open file. */
export type PlainFile = { readonly bytes: Buffer; readonly stats: FileStats };

/** Far above the size of any note. Larger files are not read into memory. */
const bytesMax = 8 * 1024 * 1024;

/**
 * Reads a regular file. Returns null when it does not exist; throws a BlockedPathError for a link, a
 * folder, a device or a file that is far too large. The metadata is read before the bytes, so that the
 * next scan detects a change in between.
 */
export const readPlainFile = async (target: string): Promise<PlainFile | null> => {
  try {
    // O_NONBLOCK: opening a pipe must not wait for a writer.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(target, flags);
    try {
      const found = await file.stat();
      if (!found.isFile()) {
        throw new BlockedPathError('it is not a file');
      }
      if (found.size > bytesMax) {
        throw new BlockedPathError(`it is larger than ${bytesMax} bytes`);
      }
      return { bytes: await file.readFile(), stats: fileStatsOf(found) };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return null;
    }
    throw codeOf(error) === 'ELOOP' ? new BlockedPathError('it is a link') : error;
  }
};
