import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as Vite from 'vite';
import { compressFiles } from './compress-files.ts';
import { digestSources } from './digest-sources.ts';
import { digestFile, dist, isConsoleBuilt, packageDir } from './is-console-built.ts';
import { viteOptions } from './vite-options.ts';

/**
 * Makes `dist` when it is missing or was made from other sources, and answers whether it is there.
 * An install for production has no Vite: then the system runs without the console.
 */
export const buildConsole = async (log: (line: string) => void): Promise<boolean> => {
  const digest = await digestSources(packageDir);
  if (await isConsoleBuilt(digest)) {
    return true;
  }
  const vite = await loadVite();
  if (!vite) {
    log('The console is not built: Vite is not installed here. The API runs without it.');
    return false;
  }
  log('Building the console');
  const made = await mkdtemp(join(packageDir, 'dist-'));
  try {
    await vite.build(viteOptions({ root: packageDir, outDir: made }));
    await compressFiles(made);
    await writeFile(join(made, digestFile), digest);
    await replaceDist(made);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  return true;
};

/** Whole or not at all: a gateway that starts meanwhile never reads half a console. */
const replaceDist = async (made: string): Promise<void> => {
  await rename(dist, `${made}-old`).catch(ignoring('ENOENT'));
  // Where another build was quicker it has made the same.
  await rename(made, dist).catch(ignoring('ENOTEMPTY', 'EEXIST'));
  await rm(`${made}-old`, { recursive: true, force: true });
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
