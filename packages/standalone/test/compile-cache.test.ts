import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { repositoryServices } from '@commonplace/migrations/repository-services';
import { currentBundle } from '@commonplace/service-bundle';
import { fillCompileCache, isCompileCacheFilled } from '../src/compile-cache.ts';
import { servicesDir } from './helpers.ts';

// All that starting a system loads is compiled.
jest.setTimeout(90_000);

let cache: string;

beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'commonplace-cache-'));
});

afterEach(async () => {
  await rm(cache, { recursive: true });
});

test('a cache that was filled says so, for the place it was filled for', async () => {
  expect(await isCompileCacheFilled({ cache, servicesDir })).toBe(false);
  expect(await fillCompileCache({ cache, servicesDir })).toBe(true);
  expect(await isCompileCacheFilled({ cache, servicesDir })).toBe(true);
  expect(await isCompileCacheFilled({ cache, servicesDir: '/elsewhere' })).toBe(false);
  const [version = ''] = (await readdir(cache)).filter((name) => name.startsWith('v'));
  expect((await readdir(join(cache, version))).length).toBeGreaterThan(300);
});

/** What services load later: for a client, for a provider of identities, and in threads. */
const loadedLater = [
  ['notes', 'src/mcp/serve.ts', 'serve-'],
  ['auth', 'src/oidc/provider.ts', 'provider-'],
  ['notes', 'src/edit/edit-worker.ts', 'edit-worker.'],
  ['notes', 'src/merge/merge-worker.ts', 'merge-worker.'],
  ['notes', 'src/search/text/document-worker.ts', 'document-worker.'],
] as const;

test('what services and their threads load later needs no compiler either', async () => {
  await fillCompileCache({ cache, servicesDir: repositoryServices });
  for (const [name, source, beginning] of loadedLater) {
    const serviceDir = join(repositoryServices, name);
    const bundle = await currentBundle(serviceDir);
    const file = bundle === null ? join(serviceDir, source) : bundled(dirname(bundle), beginning);
    const lines = await cacheLogOf(file);
    expect(lines.some((line) => line.includes(file) && line.includes('reading'))).toBe(true);
    expect(lines.filter((line) => line.includes('writing'))).toEqual([]);
  }
});

const bundled = (folder: string, beginning: string): string => {
  const [file] = globSync(join(folder, `${beginning}*js`));
  if (file === undefined) {
    throw new Error(`The bundle has no ${beginning}*js`);
  }
  return file;
};

/** What Node logs about the cache when it loads a file, besides the program that loads it. */
const cacheLogOf = async (file: string): Promise<string[]> => {
  // The file of a thread refuses to run in another one when all it needs is loaded.
  const program = `await import(${JSON.stringify(pathToFileURL(file).href)}).catch(() => undefined)`;
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', program],
    {
      env: { NODE_COMPILE_CACHE: cache, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return stderr.split('\n').filter((line) => !line.includes('[eval'));
};

test('files that others leave in a cache, and a start given up, stop nothing', async () => {
  await writeFile(join(cache, '.DS_Store'), '');
  expect(await isCompileCacheFilled({ cache, servicesDir })).toBe(false);
  expect(await fillCompileCache({ cache, servicesDir, signal: AbortSignal.abort() })).toBe(false);
  expect(await isCompileCacheFilled({ cache, servicesDir })).toBe(false);
});
