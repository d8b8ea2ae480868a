import { cp, mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { startSystem, type SystemOptions } from '../src/index.ts';
import { newDataDir, readFixture } from './helpers.ts';

// Every test makes a database and starts five processes, on machines that may be busy.
jest.setTimeout(90_000);

let folder: string;
let dataDir: string;
const source = () => join(folder, 'services/notes/src/main.ts');

/** Services of which that for notes has a bundle, which says in its environment what it is. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-bundles-'));
  await cp(join(import.meta.dirname, 'fixtures'), folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const bundle = join(folder, 'services/notes/dist/b-1');
  await mkdir(bundle, { recursive: true });
  await writeFile(
    join(bundle, 'main.js'),
    "process.env.RUNS_BUNDLE = 'yes'; await import('../../src/main.ts');",
  );
  const { size, mtimeMs } = await stat(source());
  await writeFile(
    join(bundle, '../made-from.json'),
    JSON.stringify({ folder: 'b-1', files: { 'src/main.ts': `${size} ${mtimeMs}` } }),
  );
  dataDir = await newDataDir();
});

afterEach(async () => {
  await rm(folder, { recursive: true });
  await rm(dirname(dataDir), { recursive: true });
});

const runsBundle = async (options: Partial<SystemOptions> = {}): Promise<boolean> => {
  const system = await startSystem({
    dataDir,
    servicesDir: join(folder, 'services'),
    fsync: false,
    output: () => undefined,
    ...options,
  });
  try {
    const notes = system.processes.find(({ name }) => name === 'notes');
    const { env } = await readFixture(notes?.port ?? 0);
    return env['RUNS_BUNDLE'] === 'yes';
  } finally {
    await system.stop();
  }
};

test('a service runs as the bundle of its sources', async () => {
  expect(await runsBundle()).toBe(true);
});

test('a service runs from its sources once one of them has changed', async () => {
  await utimes(source(), new Date(), new Date());
  expect(await runsBundle()).toBe(false);
});

test('a service runs from its sources where that is wanted', async () => {
  expect(await runsBundle({ runFromSources: ['notes'] })).toBe(false);
});
