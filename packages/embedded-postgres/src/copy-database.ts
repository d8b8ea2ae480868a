import { copyFile, cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { preparePlace } from './prepare-place.ts';
import { stopLeftover } from './stop-leftover.ts';

/** What a server writes about itself. */
const ofTheServer = new Set(['postmaster.pid', 'postmaster.opts']);

/**
 * Copies the database of a data directory and its password to another folder, where `startPostgres` can run it. Nothing
 * is written to the data directory, and a server that a killed process left there is stopped. The caller must hold
 * the lock of the data directory.
 */
export const copyDatabase = async (
  dataDir: string,
  target: string,
  log: (line: string) => void,
): Promise<void> => {
  const place = await preparePlace(dataDir, log);
  await stopLeftover(place, log);
  await copyFile(join(place.dataDir, 'postgres-password'), join(target, 'postgres-password'));
  // Links are followed: a log or tablespace that lies elsewhere must not be shared with the copy.
  await cp(place.pgdata, join(target, 'pgdata'), {
    recursive: true,
    dereference: true,
    filter: (path) => !ofTheServer.has(basename(path)),
  });
};
