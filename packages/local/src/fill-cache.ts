import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serviceNames } from './service-names.ts';

type FillOptions = {
  readonly servicesDir: string;
  readonly env: Readonly<Record<string, string>>;
};

const main = fileURLToPath(import.meta.resolve('./warm-cache.ts'));

/**
 * Fills the compile cache that the environment names. Resolves when that is done or has failed: services
 * start without it as well, only later and larger.
 */
export const fillCache = ({ servicesDir, env }: FillOptions): Promise<void> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [main, servicesDir, ...serviceNames], {
      env,
      stdio: 'ignore',
    });
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });

/** Whether nothing was ever compiled into a cache. Node keeps a folder in it for each of its versions. */
export const isEmptyCache = async (cache: string): Promise<boolean> => {
  const versions = await readdir(cache).catch(() => []);
  const compiled = await Promise.all(versions.map((name) => readdir(join(cache, name))));
  return compiled.every((files) => files.length === 0);
};
