import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runToEnd } from './run-to-end.ts';
import { serviceNames } from './service-names.ts';

type FillOptions = {
  readonly cache: string;
  readonly servicesDir: string;
  readonly signal?: AbortSignal | undefined;
};

const main = fileURLToPath(import.meta.resolve('./warm-cache.ts'));
const fillMaxMs = 60_000;

/**
 * Fills a compile cache, and answers whether that was done. Services start without it as well, only later
 * and larger.
 */
export const fillCache = async (options: FillOptions): Promise<boolean> => {
  const { cache, servicesDir, signal } = options;
  const exitCode = await runToEnd([main, servicesDir, ...serviceNames], {
    env: { NODE_COMPILE_CACHE: cache },
    stdio: 'ignore',
    timeout: fillMaxMs,
    signal,
  }).catch(() => null);
  const isFilled = exitCode === 0;
  if (isFilled) {
    await writeFile(noteIn(options), whatFor(options)).catch(() => undefined);
  }
  return isFilled;
};

/** Whether a cache was filled by this version of Node, for this user, with the sources where they are. */
export const isCacheFilled = async (options: FillOptions): Promise<boolean> => {
  const note = await readFile(noteIn(options), 'utf8').catch(() => null);
  return note === whatFor(options);
};

const noteIn = ({ cache }: FillOptions): string => join(cache, 'filled-for');

const whatFor = ({ servicesDir }: FillOptions): string =>
  [process.version, process.arch, process.getuid?.(), servicesDir].join(' ');
