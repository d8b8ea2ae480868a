import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@commonplace/contracts';
import { z } from 'zod';
import type { LocalRoute } from '../http/local-response.ts';
import { digestOf, sendSharedFile, type SharedFile } from './shared-file.ts';

/** Where `pnpm start`, the installation and the image build the packages. */
export const builtPackages = join(import.meta.dirname, '../../../../dist-packages');

/** What the build writes (`tools/packages/build-tarballs.ts`). */
const packageIndex = z.object({
  packages: z.array(
    z.object({
      path: z.string().regex(/^\/packages\/[a-z-]+\.tgz$/),
      integrity: z.string(),
    }),
  ),
});

const indexPath = '/packages/index.json';

/** Addresses that users have in their configuration: without a build, their 404 says why. */
const knownPaths = [indexPath, '/packages/commonplace.tgz', '/packages/commonplace-client.tgz'];

/**
 * The command line and the client as npm installs them from this address, so that they always fit this server, and
 * their index with versions and digests. All are read at start, so no request reaches the disk.
 */
export const packageRoutes = (folder: string): readonly LocalRoute[] => {
  const files = readPackages(folder);
  return files === null
    ? knownPaths.map((path) => ({ path, handle: refuse }))
    : [...files].map(([path, file]) => ({
        path,
        handle: (context) => sendSharedFile(context, file),
      }));
};

const refuse = (): never => {
  throw new AppError(
    'route_not_found',
    'This server has no packages: they were not built when it was installed or started. Its log says why.',
  );
};

/** The files by path; null unless all are there and are those of the index. */
const readPackages = (folder: string): ReadonlyMap<string, SharedFile> | null => {
  try {
    const text = readFileSync(join(folder, 'index.json'));
    const { packages } = packageIndex.parse(JSON.parse(text.toString('utf8')));
    const tarballs = packages.map(({ path, integrity }) => {
      const content = readFileSync(join(folder, path.slice('/packages/'.length)));
      const digest = createHash('sha512').update(content).digest('base64');
      return { path, content, isWhole: integrity === `sha512-${digest}` };
    });
    if (!tarballs.every(({ isWhole }) => isWhole)) {
      return null;
    }
    return new Map([
      [indexPath, shared(text, 'application/json; charset=utf-8')],
      ...tarballs.map(({ path, content }) => [path, shared(content, 'application/gzip')] as const),
    ]);
  } catch {
    return null;
  }
};

const shared = (plain: Buffer, contentType: string): SharedFile => ({
  plain,
  brotli: undefined,
  gzip: undefined,
  contentType,
  digest: digestOf(plain),
  // An upgrade of the server is an upgrade of what npm installs from here.
  headers: { 'Cache-Control': 'public, no-cache' },
});
