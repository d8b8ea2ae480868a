import { mkdir, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { measureClient } from './packages/measure-client.ts';
import { packPackage } from './packages/pack-package.ts';
import { repositoryRoot } from './repository-root.ts';

/*
 * `pnpm build:packages [folder]` builds the packages that people outside this repository install, checks them, and
 * writes their tarballs to `dist-packages` or the folder.
 */

/** The most that a page may have to load. */
const clientBytesMax = 40 * 1024;

const target = resolve(process.argv[2] ?? join(repositoryRoot, 'dist-packages'));
await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });

const packages = join(repositoryRoot, 'packages');
for (const name of ['client', 'cli']) {
  const tarball = await packPackage(join(packages, name), target);
  console.log(`✓ ${relative(process.cwd(), tarball)}`);
}

const bytes = await measureClient(join(packages, 'client'));
if (bytes > clientBytesMax) {
  throw new Error(
    `The client has ${bytes} bytes with its dependencies; ${clientBytesMax} are allowed.`,
  );
}
console.log(`✓ the client has ${bytes} bytes, minified with its dependencies`);
