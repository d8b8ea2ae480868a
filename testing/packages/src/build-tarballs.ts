import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.ts';

/** The packages, as `npm install` takes them. */
export type Tarballs = { readonly client: string; readonly cli: string };

const root = join(import.meta.dirname, '../../..');

/** Builds the packages as `pnpm build:packages` does. */
export const buildTarballs = async (folder: string): Promise<Tarballs> => {
  await run(process.execPath, [join(root, 'tools/build-packages.ts'), folder], { folder: root });
  const files = await readdir(folder);
  const find = (pattern: RegExp): string =>
    join(folder, files.find((file) => pattern.test(file)) ?? '');
  return { client: find(/^commonplace-client-/), cli: find(/^commonplace-\d/) };
};
