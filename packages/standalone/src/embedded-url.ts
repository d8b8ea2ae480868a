import { join } from 'node:path';
import { readIfPresent } from './data-directory.ts';

/**
 * Where the embedded PostgreSQL of a data directory listens, without user and password; null when it does
 * not run. It writes its port into the fourth line of its pid file and removes the file when it stops. The data
 * may lie elsewhere, behind a link (packages/embedded-postgres, prepare-place.ts).
 */
export const embeddedUrl = async (dataDir: string): Promise<string | null> => {
  const home = join(dataDir, 'postgres');
  const file = join('pgdata', 'postmaster.pid');
  const text =
    (await readIfPresent(join(home, 'relocated', file))) ?? (await readIfPresent(join(home, file)));
  const port = text?.split('\n')[3]?.trim();
  return port ? `postgresql://127.0.0.1:${port}/postgres` : null;
};
