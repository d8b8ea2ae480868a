import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestFile, digestSources } from './are-packages-built.ts';
import { packPackage } from './pack-package.ts';
import { folderOf, publishedPackages, type PublishedPackage } from './published-packages.ts';
import { writeApiTypes } from './write-api-types.ts';

/** What `index.json` says about one package. */
interface IndexEntry {
  readonly name: string;
  readonly version: string;
  readonly path: string;
  readonly integrity: string;
  readonly bytes: number;
}

const readableByAll = 0o644;

/**
 * Builds the packages and writes their tarballs, `index.json` and the digest of the sources to `target`. Other files
 * in it stay. Each file is complete when it gets its name, the index last. Returns the paths of the tarballs.
 */
export async function buildTarballs(target: string): Promise<string[]> {
  await mkdir(target, { recursive: true });
  await writeApiTypes();
  // Computed first: what changes during the build makes it outdated.
  const digest = await digestSources();
  const staging = await mkdtemp(join(target, '.building-'));
  try {
    const entries: IndexEntry[] = [];
    for (const each of publishedPackages) {
      await packPackage(folderOf(each), join(staging, each.file));
      entries.push(await entryOf(each, staging));
    }
    await writeFile(
      join(staging, 'index.json'),
      `${JSON.stringify({ packages: entries }, null, 2)}\n`,
    );
    await writeFile(join(staging, digestFile), digest);
    const files = [...publishedPackages.map(({ file }) => file), 'index.json', digestFile];
    for (const file of files) {
      // Who installs and who runs the gateway may be two users.
      await chmod(join(staging, file), readableByAll);
      await rename(join(staging, file), join(target, file));
    }
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return publishedPackages.map(({ file }) => join(target, file));
}

async function entryOf(each: PublishedPackage, folder: string): Promise<IndexEntry> {
  const manifest = await readFile(join(folderOf(each), 'package.json'), 'utf8');
  const { name, version } = JSON.parse(manifest) as { name: string; version: string };
  const content = await readFile(join(folder, each.file));
  return {
    name,
    version,
    path: `/packages/${each.file}`,
    // As package managers write it into their lockfiles.
    integrity: `sha512-${createHash('sha512').update(content).digest('base64')}`,
    bytes: content.length,
  };
}
