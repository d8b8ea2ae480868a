import { join } from 'node:path';
import { readIfPresent } from './data-directory.ts';
import { databaseFolder } from './database-folder.ts';

/**
 * The URL of the embedded PostgreSQL of a data directory, without user and password; null if it does not run. The
 * port is in the fourth line of its pid file, which it removes when it stops.
 */
export const embeddedUrl = async (dataDir: string): Promise<string | null> => {
  const folder = await databaseFolder(dataDir);
  const text = folder && (await readIfPresent(join(folder, 'postmaster.pid')));
  const port = text?.split('\n')[3]?.trim();
  return port ? `postgresql://127.0.0.1:${port}/postgres` : null;
};
