import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestSources } from './digest-sources.ts';

export const packageDir = join(import.meta.dirname, '..');
/** The folder of the built console. */
export const dist = join(packageDir, 'dist');
/** The file in `dist` with the digest of its sources. */
export const digestFile = 'sources.sha256';

/** Whether `dist` exists and matches the sources. A caller that has their digest can pass it. */
export const isConsoleBuilt = async (digest?: string): Promise<boolean> => {
  const built = await readFile(join(dist, digestFile), 'utf8').catch(() => null);
  return built !== null && built === (digest ?? (await digestSources(packageDir)));
};
