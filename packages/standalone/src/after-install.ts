import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repositoryServices } from '@commonplace/migrations/repository-services';
import { installedCache } from './compile-cache.ts';
import { fillCache } from './fill-cache.ts';
import { prepareConsole } from './prepare-console.ts';

/*
 * The package manager runs this when all packages are there. It compiles our sources and builds the console, which
 * otherwise the first start of a system would do, and takes away Node's headers: 67 MB for people who compile
 * addons.
 */

/** Where the npm package `node` keeps the distribution of Node for this machine. */
const distribution = join(
  dirname(process.execPath),
  '../node_modules',
  `node-${process.platform}-${process.arch}`,
);

/** Before anything runs that keeps there what it compiles. */
const cleared = rm(installedCache, { recursive: true, force: true, maxRetries: 3 });

const compileSources = async (): Promise<void> => {
  await cleared;
  if (!(await fillCache({ cache: installedCache, servicesDir: repositoryServices }))) {
    throw new Error('The sources could not be compiled in advance; the first start will do it.');
  }
};

const buildConsole = async (): Promise<void> => {
  await cleared;
  await prepareConsole({ log: (line) => process.stderr.write(`${line}\n`), signal: undefined });
};

const results = await Promise.allSettled([
  compileSources(),
  buildConsole(),
  rm(join(distribution, 'include'), { recursive: true, force: true }),
]);
// All works without either; nothing here is worth a failed installation.
for (const result of results) {
  if (result.status === 'rejected') {
    process.stderr.write(`${(result.reason as Error).message}\n`);
  }
}
