import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { codeOf } from '../describe-error.ts';
import { BlockedPathError } from './held-folder.ts';
import { identityOf, type FileStats } from './file-stats.ts';

/** A file's bytes, and what the file system says of the very file that they were read from. */
export type PlainFile = { readonly bytes: Buffer; readonly stats: FileStats };

/** No note is nearly as large: more than this is not read into memory. */
const bytesMax = 8 * 1024 * 1024;

/**
 * Reads a file, and nothing else: null when there is nothing, a BlockedPathError when there is a link,
 * a folder, a device or a file that is far too large. The facts are from before the bytes, so that a
 * change in between shows at the next look.
 */
export const readPlainFile = async (target: string): Promise<PlainFile | null> => {
  try {
    // A pipe must not be waited for.
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
      return { bytes: await file.readFile(), stats: identityOf(found) };
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
