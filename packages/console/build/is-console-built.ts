import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestSources } from './digest-sources.ts';

export const packageDir = join(import.meta.dirname, '..');
/** The built console. */
export const dist = join(packageDir, 'dist');
/** In `dist`, the digest of what it was made from. */
export const digestFile = 'sources.sha256';

/** Whether `dist` is there and made from the sources as they are, whose digest the caller may know. */
export const isConsoleBuilt = async (digest?: string): Promise<boolean> => {
  const made = await readFile(join(dist, digestFile), 'utf8').catch(() => null);
  return made !== null && made === (digest ?? (await digestSources(packageDir)));
};
