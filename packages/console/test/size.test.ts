import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';

const packageDir = join(import.meta.dirname, '..');
const bytesMax = 250 * 1024;

type Manifest = Readonly<
  Record<string, { readonly file: string; readonly imports?: readonly string[] }>
>;

/** A chunk and all it needs before it runs. */
const neededFor = (manifest: Manifest, name: string, found = new Set<string>()): Set<string> => {
  const chunk = manifest[name];
  if (chunk && !found.has(chunk.file)) {
    found.add(chunk.file);
    for (const other of chunk.imports ?? []) {
      neededFor(manifest, other, found);
    }
  }
  return found;
};

describe('the first load', () => {
  it('is at most 250 KiB of compressed JavaScript', async () => {
    await promisify(execFile)(process.execPath, [join(packageDir, 'build/main.ts')]);
    const dist = join(packageDir, 'dist');
    const manifest = JSON.parse(
      await readFile(join(dist, '.vite/manifest.json'), 'utf8'),
    ) as Manifest;
    const files = [...neededFor(manifest, 'index.html')];
    const sizes = await Promise.all(
      files.map(async (file) => gzipSync(await readFile(join(dist, file))).length),
    );
    expect(files.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(bytesMax);
  }, 60_000);
});
