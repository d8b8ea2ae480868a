import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runOrThrow } from './run-or-throw.ts';

/**
 * Builds a package as its `tsdown.config.mjs` says, packs it, and checks the tarball with publint and Are the types
 * wrong. Returns the path of the tarball.
 */
export const packPackage = async (folder: string, target: string): Promise<string> => {
  await runOrThrow('tsdown', ['--log-level', 'warn'], folder);
  // pnpm writes versions for `workspace:` and `catalog:`, and applies `publishConfig`; npm does neither.
  await runOrThrow('npx', ['-y', 'pnpm@12', 'pack', '--pack-destination', target], folder);
  const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
  };
  const tarball = join(target, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  await runOrThrow('publint', ['run', tarball, '--strict'], folder);
  // CommonJS loads ES modules with import(), and resolution as of Node 10 is past.
  await runOrThrow('attw', [tarball, '--profile', 'esm-only'], folder);
  return tarball;
};
