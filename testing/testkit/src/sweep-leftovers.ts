import { randomUUID } from 'node:crypto';
import { readdirSync, renameSync, rmSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { processExists, stopLeftoverPostgres } from '@commonplace/embedded-postgres';
import { directoryPrefix } from './own-directory.ts';

const ownedName = /^commonplace-test-(?<pid>\d+)-/;

/** Stops the servers and removes the files, in this folder, of killed test runs, which skipped their teardown. */
export const sweepLeftovers = async (folder: string): Promise<void> => {
  for (const name of readdirSync(folder)) {
    const claimed = isLeftover(folder, name) ? claim(folder, name) : null;
    if (claimed !== null) {
      await remove(claimed);
    }
  }
};

/** What cannot be removed is named; it is no reason not to run any test. */
const remove = async (directory: string): Promise<void> => {
  try {
    await stopLeftoverPostgres(directory, () => undefined);
    rmSync(directory, { recursive: true, force: true });
  } catch (error) {
    warn(directory, error);
  }
};

const warn = (directory: string, error: unknown): void =>
  process.emitWarning(
    `${directory}, left by a killed test run, could not be removed: ${String(error)}`,
  );

const isLeftover = (folder: string, name: string): boolean => {
  const pid = ownedName.exec(name)?.groups?.['pid'];
  if (pid === undefined || processExists(Number(pid))) {
    return false;
  }
  // Of a symbolic link itself: it may lead to a directory that no test made.
  const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
  return found !== undefined && found.isDirectory() && found.uid === process.getuid?.();
};

/** The directory under its new name; null if another run was faster. */
const claim = (folder: string, name: string): string | null => {
  const claimed = join(folder, `${directoryPrefix(process.pid)}${randomUUID()}`);
  try {
    renameSync(join(folder, name), claimed);
    return claimed;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      warn(join(folder, name), error);
    }
    return null;
  }
};
