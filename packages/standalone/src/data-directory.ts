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
 * Creates the data directory. The user of PostgreSQL can pass through it, but other users cannot list it. A folder
 * that also has files of other programs keeps its mode.
 */
export const makeDataDirectory = async (path: string): Promise<string> => {
  const dataDir = resolve(path);
  try {
    await mkdir(dataDir, { recursive: true });
    const names = await readdir(dataDir);
    if (names.every((name) => ownNames.includes(name))) {
      await chmod(dataDir, 0o711);
    }
  } catch (cause) {
    throw new Error(
      `The data directory ${dataDir} cannot be used: ${(cause as Error).message}. Start as the user who owns it, or set DATA_DIR to a folder of your own.`,
      { cause },
    );
  }
  return dataDir;
};

/** Writes a file that only its owner can read, to a temporary name first, so that it is never incomplete. */
export const writePrivateFile = async (path: string, text: string): Promise<void> => {
  const staging = `${path}.new`;
  await rm(staging, { force: true });
  await writeFile(staging, text, { mode: 0o600, flush: true });
  await rename(staging, path);
};

/** The text of a file, or null if there is none. */
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
