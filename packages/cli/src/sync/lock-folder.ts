import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../describe-error.ts';

/** Takes a folder for this process; gives the way to let it go. Throws when another one has it. */
export const lockFolder = async (path: string): Promise<() => Promise<void>> => {
  await mkdir(dirname(path), { recursive: true });
  for (;;) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx' });
      return () => rm(path, { force: true });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') {
        throw error;
      }
    }
    const owner = Number(await readFile(path, 'utf8').catch(() => ''));
    if (isAlive(owner)) {
      throw new Error(
        `process ${owner} keeps this folder in step already (if it is something else, remove ${path})`,
      );
    }
    // Whoever held it was killed.
    await rm(path, { force: true });
  }
};

const isAlive = (pid: number): boolean => {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) {
    return false;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
};
