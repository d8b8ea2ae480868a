import { basename } from 'node:path';
import { runOrThrow } from './run-or-throw.ts';

/** Builds a package as its `tsdown.config.mjs` says, and packs it into the file `tarball`. */
export const packPackage = async (folder: string, tarball: string): Promise<void> => {
  await runOrThrow('tsdown', ['--log-level', 'error'], folder);
  // pnpm writes versions for `workspace:` and `catalog:`, and applies `publishConfig`; npm does neither.
  const [program = '', ...args] = packageManager();
  await runOrThrow(program, [...args, 'pack', '--out', tarball], folder);
};

/** The pnpm that runs this, which is there without a network, or else one from the registry. */
function packageManager(): readonly string[] {
  const { npm_execpath: path = '' } = process.env;
  if (!basename(path).startsWith('pnpm')) {
    return ['npx', '-y', 'pnpm@12'];
  }
  return /\.[cm]?js$/.test(path) ? [process.execPath, path] : [path];
}
