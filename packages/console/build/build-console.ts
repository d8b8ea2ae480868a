import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as Vite from 'vite';
import { compressFiles } from './compress-files.ts';
import { digestSources } from './digest-sources.ts';
import { findUsers } from './find-users.ts';
import { makeReadable } from './make-readable.ts';
import { digestFile, dist, isConsoleBuilt, packageDir } from './is-console-built.ts';
import { viteOptions } from './vite-options.ts';

/**
 * Builds `dist` if it is missing or outdated, and returns whether it is available. Production installs
 * have no Vite; without a built console the system runs without it.
 */
export const buildConsole = async (log: (line: string) => void): Promise<boolean> => {
  const digest = await digestSources(packageDir);
  if (await isConsoleBuilt(digest)) {
    return true;
  }
  const vite = await loadVite();
  if (!vite) {
    log('The console is not built, because Vite is not installed. The API runs without it.');
    return false;
  }
  log('Building the console');
  const built = await mkdtemp(join(packageDir, 'dist-'));
  try {
    const place = { root: packageDir, outDir: built };
    await vite.build(viteOptions(place, await findUsers(vite, viteOptions(place))));
    await compressFiles(built);
    await writeFile(join(built, digestFile), digest);
    await makeReadable(built);
    await replaceDist(built);
  } finally {
    await rm(built, { recursive: true, force: true });
  }
  return true;
};

/** Replaces `dist` atomically: a gateway that starts in the meantime never reads a partial build. */
const replaceDist = async (built: string): Promise<void> => {
  await rename(dist, `${built}-old`).catch(ignoring('ENOENT'));
  // A concurrent build that finished first has the same result.
  await rename(built, dist).catch(ignoring('ENOTEMPTY', 'EEXIST'));
  await rm(`${built}-old`, { recursive: true, force: true });
};

const ignoring =
  (...codes: readonly string[]) =>
  (error: NodeJS.ErrnoException): void => {
    if (!codes.includes(error.code ?? '')) {
      throw error;
    }
  };

const loadVite = async (): Promise<Pick<typeof Vite, 'build'> | null> => {
  try {
    return await import('vite');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') {
      return null;
    }
    throw error;
  }
};
