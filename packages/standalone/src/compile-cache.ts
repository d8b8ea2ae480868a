import { readFile, writeFile } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProcess } from './run-process.ts';
import { serviceNames } from './service-names.ts';

/** The cache that the installation fills. It is removed together with the packages. */
export const installedCache = join(import.meta.dirname, '../../../node_modules/.cache/commonplace');

/** The compile cache of all Node processes: the one that main.mjs chose for this process. */
export const compileCache = (): string => {
  const own = getCompileCacheDir();
  // Node makes a folder in it for each of its versions, users and sets of flags.
  return own === undefined ? installedCache : dirname(own);
};

type FillOptions = {
  readonly cache: string;
  readonly servicesDir: string;
  readonly signal?: AbortSignal | undefined;
};

const main = fileURLToPath(import.meta.resolve('./compile-cache-main.ts'));
const fillMaxMs = 60_000;

/**
 * Fills a compile cache and returns whether it succeeded. Without it services start too, but take more time
 * and memory.
 */
export const fillCompileCache = async (options: FillOptions): Promise<boolean> => {
  const { cache, servicesDir, signal } = options;
  const exitCode = await runProcess([main, servicesDir, ...serviceNames], {
    env: { NODE_COMPILE_CACHE: cache },
    stdio: 'ignore',
    timeout: fillMaxMs,
    signal,
  }).catch(() => null);
  const isFilled = exitCode === 0;
  if (isFilled) {
    await writeFile(markerOf(options), contentOf(options)).catch(() => undefined);
  }
  return isFilled;
};

/** Whether the cache was filled by this version of Node, for this user and this folder of services. */
export const isCompileCacheFilled = async (options: FillOptions): Promise<boolean> => {
  const marker = await readFile(markerOf(options), 'utf8').catch(() => null);
  return marker === contentOf(options);
};

const markerOf = ({ cache }: FillOptions): string => join(cache, 'filled-for');

const contentOf = ({ servicesDir }: FillOptions): string =>
  [process.version, process.arch, process.getuid?.(), servicesDir].join(' ');
