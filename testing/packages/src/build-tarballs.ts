import { join } from 'node:path';
import { run } from './run.ts';

/** The packages, as `npm install` takes them. */
export type Tarballs = { readonly client: string; readonly cli: string };

const root = join(import.meta.dirname, '../../..');

/** Builds the packages as `pnpm build:packages` does. */
export const buildTarballs = async (folder: string): Promise<Tarballs> => {
  await run(process.execPath, [join(root, 'tools/build-packages.ts'), folder], { folder: root });
  return tarballsAt(`${folder}/`);
};

/** Builds what a gateway of this checkout serves, as the installation and `pnpm start` do. */
export const buildServedTarballs = async (): Promise<void> => {
  await run(process.execPath, [join(root, 'tools/prepare-packages.ts')], { folder: root });
};

/** The tarballs below a folder or a URL. */
export const tarballsAt = (place: string): Tarballs => ({
  client: `${place}commonplace-client.tgz`,
  cli: `${place}commonplace.tgz`,
});
