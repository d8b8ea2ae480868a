import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../describe-error.ts';

/** Takes a folder for this process; gives the way to let it go. Throws when another one has it. */
export const lockFolder = async (path: string): Promise<() => Promise<void>> => {
  await mkdir(dirname(path), { recursive: true });
  // The lock appears with its owner in it, or not at all.
  const own = `${path}.${process.pid}`;
  await writeFile(own, String(process.pid));
  try {
    while (!(await takePlace(own, path))) {
      const owner = Number(await readFile(path, 'utf8').catch(() => ''));
      if (isAlive(owner)) {
        throw new Error(
          `process ${owner} keeps this folder in step already (if it is something else, remove ${path})`,
        );
      }
      // Whoever held it was killed.
      await rm(path, { force: true });
    }
  } finally {
    await rm(own, { force: true });
  }
  return () => rm(path, { force: true });
};

const takePlace = async (own: string, path: string): Promise<boolean> => {
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      return false;
    }
    throw error;
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
