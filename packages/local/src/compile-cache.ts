import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** What installing compiles: beside the packages, and gone with them. */
export const installedCache = join(import.meta.dirname, '../../../node_modules/.cache/commonplace');

/**
 * Where Node keeps what it makes of our sources: beside them, for every data directory, or in the data
 * directory where somebody else has installed them and we may not write.
 */
export const compileCache = (dataDir: string): string => {
  try {
    mkdirSync(installedCache, { recursive: true });
    accessSync(installedCache, constants.W_OK);
    return installedCache;
  } catch {
    return join(dataDir, 'cache');
  }
};
