import { relative, resolve } from 'node:path';
import { buildTarballs } from './packages/build-tarballs.ts';
import { checkTarball } from './packages/check-tarball.ts';
import { measureClient } from './packages/measure-client.ts';
import { servedFolder } from './packages/published-packages.ts';
import { repositoryRoot } from './repository-root.ts';

/*
 * `pnpm build:packages [folder]` builds the packages that people outside this repository install, checks them, and
 * writes their tarballs and their index to `dist-packages` or the folder. What else is in the folder stays.
 */

/** The most that a page may have to load. */
const clientBytesMax = 44 * 1024;

const target = process.argv[2] === undefined ? servedFolder : resolve(process.argv[2]);
for (const tarball of await buildTarballs(target)) {
  await checkTarball(tarball, repositoryRoot);
  console.log(`✓ ${relative(process.cwd(), tarball)}`);
}

const bytes = await measureClient(resolve(repositoryRoot, 'packages/client'));
if (bytes > clientBytesMax) {
  throw new Error(
    `The client has ${bytes} bytes with its dependencies; ${clientBytesMax} are allowed.`,
  );
}
console.log(`✓ the client has ${bytes} bytes, minified with its dependencies`);
