import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { repositoryServices } from '@commonplace/migrations/repository-services';
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

/** Sources that services load later: for a client, for a provider of identities, and in threads. */
const loadedLater = [
  'notes/src/mcp/serve.ts',
  'auth/src/oidc/provider.ts',
  'notes/src/edit/edit-worker.ts',
  'notes/src/merge/merge-worker.ts',
  'notes/src/search/text/document-worker.ts',
];

test('what services and their threads load later needs no compiler either', async () => {
  await fillCompileCache({ cache, servicesDir: repositoryServices });
  for (const path of loadedLater) {
    const lines = await cacheLogOf(join(repositoryServices, path));
    expect(lines.some((line) => line.includes(path) && line.includes('reading'))).toBe(true);
    expect(lines.filter((line) => line.includes('writing'))).toEqual([]);
  }
});

/** What Node logs about sources in TypeScript and the cache when it loads a file. */
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
  return stderr.split('\n').filter((line) => line.includes('StrippedTypeScript'));
};

test('files that others leave in a cache, and a start given up, stop nothing', async () => {
  await writeFile(join(cache, '.DS_Store'), '');
  expect(await isCompileCacheFilled({ cache, servicesDir })).toBe(false);
  expect(await fillCompileCache({ cache, servicesDir, signal: AbortSignal.abort() })).toBe(false);
  expect(await isCompileCacheFilled({ cache, servicesDir })).toBe(false);
});
