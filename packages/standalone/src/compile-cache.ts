import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';

/** What installing compiles: beside the packages, and gone with them. */
export const installedCache = join(import.meta.dirname, '../../../node_modules/.cache/commonplace');

/** Where processes of Node's keep what they make of our sources: where this one does, as main.mjs has decided. */
export const compileCache = (): string => {
  const own = getCompileCacheDir();
  // Node makes a folder in it for each of its versions, users and sets of flags.
  return own === undefined ? installedCache : dirname(own);
};
