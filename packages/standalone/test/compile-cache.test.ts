import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
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

test('files that others leave in a cache, and a start given up, stop nothing', async () => {
  await writeFile(join(cache, '.DS_Store'), '');
  expect(await isCompileCacheFilled({ cache, servicesDir })).toBe(false);
  expect(await fillCompileCache({ cache, servicesDir, signal: AbortSignal.abort() })).toBe(false);
  expect(await isCompileCacheFilled({ cache, servicesDir })).toBe(false);
});
