import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repositoryServices } from '@commonplace/migrations/repository-services';
import { fillCompileCache, installedCache } from './compile-cache.ts';
import { prepareBuilds } from './prepare-builds.ts';
import { runProcess } from './run-process.ts';
import { serviceNames } from './service-names.ts';

/*
 * The package manager runs this after it has installed all packages. It bundles the services, compiles our sources and builds the
 * console and the packages, which otherwise the first start would do, and removes Node's headers: 67 MB that only builds of addons
 * need.
 */

/** The folder of the npm package `node` with the distribution of Node for this machine. */
const distribution = join(
  dirname(process.execPath),
  '../node_modules',
  `node-${process.platform}-${process.arch}`,
);

/** Awaited before anything compiles into the cache. */
const cleared = rm(installedCache, { recursive: true, force: true, maxRetries: 3 });

const bundler = join(import.meta.dirname, '../../service-bundle/src/main.ts');

/** It says why if it fails. Without bundles the sources run. */
const bundleServices = async (): Promise<void> => {
  await runProcess([bundler, ...serviceNames], { stdio: ['ignore', 'ignore', 'inherit'] });
};

const compileSources = async (): Promise<void> => {
  await Promise.allSettled([cleared, bundled]);
  if (!(await fillCompileCache({ cache: installedCache, servicesDir: repositoryServices }))) {
    throw new Error('The sources could not be compiled in advance; the first start will do it.');
  }
};

const buildServedFiles = async (): Promise<void> => {
  await cleared;
  await prepareBuilds({ log: (line) => process.stderr.write(`${line}\n`), signal: undefined });
};

const bundled = bundleServices();
const results = await Promise.allSettled([
  bundled,
  compileSources(),
  buildServedFiles(),
  rm(join(distribution, 'include'), { recursive: true, force: true }),
]);
// The product works without any of this, so a failure must not fail the installation.
for (const result of results) {
  if (result.status === 'rejected') {
    process.stderr.write(`${(result.reason as Error).message}\n`);
  }
}
