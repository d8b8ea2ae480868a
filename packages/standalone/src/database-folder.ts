import { realpath } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The folder in which the embedded PostgreSQL of a data directory has its files; null if it has no database. It may be on
 * another disk, behind a link (packages/embedded-postgres, prepare-place.ts).
 */
export const databaseFolder = async (dataDir: string): Promise<string | null> => {
  const home = join(dataDir, 'postgres');
  for (const path of [join(home, 'relocated', 'pgdata'), join(home, 'pgdata')]) {
    const found = await realpath(path).catch(() => null);
    if (found !== null) {
      return found;
    }
  }
  return null;
};
