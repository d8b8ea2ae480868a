import { chmod, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const ownNames = [
  'backups',
  'cache',
  'postgres',
  'secrets.json',
  'supervisor.lock',
  'supervisor.lock.held',
];

/**
 * Makes the data directory. The user PostgreSQL runs as may pass through it, and nobody else may look
 * around in it. A folder that holds other things as well keeps the rights it has.
 */
export const makeDataDirectory = async (path: string): Promise<string> => {
  const dataDir = resolve(path);
  await mkdir(dataDir, { recursive: true });
  const names = await readdir(dataDir);
  if (names.every((name) => ownNames.includes(name))) {
    await chmod(dataDir, 0o711);
  }
  return dataDir;
};

/** Writes a file only we may read, beside and then renamed: it is never seen half-written. */
export const writePrivateFile = async (path: string, text: string): Promise<void> => {
  const staging = `${path}.new`;
  await rm(staging, { force: true });
  await writeFile(staging, text, { mode: 0o600, flush: true });
  await rename(staging, path);
};

/** The text of a file, or null when there is none. */
export const readIfPresent = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return null;
    }
    throw error;
  }
};
