import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LockedError, takeFileLock } from '@commonplace/file-lock';

/** Takes a folder for this process; gives the function that releases it. Throws when another one has it. */
export const lockFolder = async (path: string): Promise<() => Promise<void>> => {
  await mkdir(dirname(path), { recursive: true });
  try {
    return await takeFileLock(path);
  } catch (error) {
    if (!(error instanceof LockedError)) {
      throw error;
    }
    const who = error.holder === null ? 'another process' : `process ${error.holder}`;
    throw new Error(`${who} keeps this folder in step already`, { cause: error });
  }
};
