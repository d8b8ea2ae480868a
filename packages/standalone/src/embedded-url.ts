import { join } from 'node:path';
import { readIfPresent } from './data-directory.ts';

/**
 * The URL of the embedded PostgreSQL of a data directory, without user and password; null if it does not run. The
 * port is in the fourth line of its pid file, which it removes when it stops. The data may be elsewhere, behind a
 * link (packages/embedded-postgres, prepare-place.ts).
 */
export const embeddedUrl = async (dataDir: string): Promise<string | null> => {
  const home = join(dataDir, 'postgres');
  const file = join('pgdata', 'postmaster.pid');
  const text =
    (await readIfPresent(join(home, 'relocated', file))) ?? (await readIfPresent(join(home, file)));
  const port = text?.split('\n')[3]?.trim();
  return port ? `postgresql://127.0.0.1:${port}/postgres` : null;
};
