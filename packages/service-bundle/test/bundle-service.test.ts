import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { bundleService } from '../src/bundle-service.ts';
import { currentBundle } from '../src/current-bundle.ts';

let root: string;
let serviceDir: string;

const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
};

/** What a program prints. */
const outputOf = async (file: string): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  return stdout;
};

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'commonplace-bundle-'));
  serviceDir = join(root, 'services/mail');
  await write('pnpm-lock.yaml', 'lockfileVersion: 9\n');
  await write('services/mail/package.json', '{ "type": "module", "version": "4.5.6" }');
  await write('packages/words/package.json', '{ "type": "module" }');
  await write('packages/words/src/words.txt', 'words beside the source');
  await write(
    'packages/words/src/words.ts',
    `import { readFileSync } from 'node:fs';
     import { basename } from 'node:path';
     export const words: string = readFileSync(new URL('words.txt', import.meta.url), 'utf8');
     export const folder: string = basename(import.meta.dirname);`,
  );
  await write(
    'services/mail/src/deliver/deliver-worker.ts',
    `import { parentPort } from 'node:worker_threads';
     import { words } from '../../../../packages/words/src/words.ts';
     parentPort?.postMessage('from the thread: ' + words);`,
  );
  await write(
    'services/mail/src/later.ts',
    `import { readFileSync } from 'node:fs';
     export const version = JSON.parse(
       readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
     ).version;`,
  );
  await write(
    'services/mail/src/main.ts',
    `import { once } from 'node:events';
     import { Worker } from 'node:worker_threads';
     import { folder, words } from '../../../packages/words/src/words.ts';
     const { version } = await import('./later.ts');
     const thread = new Worker(new URL('deliver/deliver-worker.ts', import.meta.url));
     const [message] = await once(thread, 'message');
     console.log([words, folder, version, message].join('; '));`,
  );
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

test('a bundle does what the sources do, with the files beside them, later modules and threads', async () => {
  await bundleService({ root, serviceDir });
  const bundle = await currentBundle(serviceDir);
  const expected = await outputOf(join(serviceDir, 'src/main.ts'));
  expect(expected).toBe(
    'words beside the source; src; 4.5.6; from the thread: words beside the source\n',
  );
  expect(await outputOf(bundle ?? '')).toBe(expected);
});

/** The folder of a new bundle. */
const bundledNow = async (): Promise<string> => {
  await bundleService({ root, serviceDir });
  return basename(dirname((await currentBundle(serviceDir)) ?? ''));
};

test('a bundle stays until two newer ones are made, because a process of it may run', async () => {
  const folders = [await bundledNow(), await bundledNow(), await bundledNow()];
  const kept = [...folders.slice(1), 'made-from.json'].toSorted();
  expect((await readdir(join(serviceDir, 'dist'))).toSorted()).toEqual(kept);
});

test('a bundle that cannot be made leaves nothing, and the one before it', async () => {
  const before = await bundledNow();
  await write('services/mail/src/main.ts', "import './missing.ts';");
  await expect(bundleService({ root, serviceDir })).rejects.toThrow('missing.ts');
  expect((await readdir(join(serviceDir, 'dist'))).toSorted()).toEqual([before, 'made-from.json']);
});

test('sources that change while they are bundled make no bundle', async () => {
  await utimes(join(root, 'services/mail/src/later.ts'), new Date(), new Date(Date.now() + 60_000));
  await expect(bundleService({ root, serviceDir })).rejects.toThrow('later.ts was changed');
  expect(await currentBundle(serviceDir)).toBeNull();
});

test('other users can run a bundle', async () => {
  await bundleService({ root, serviceDir });
  const { mode } = await stat(dirname((await currentBundle(serviceDir)) ?? ''));
  expect(mode & 0o777).toBe(0o755);
});

test('half a record, that of another release, and one without its bundle, are no bundle', async () => {
  const folder = await bundledNow();
  await rm(join(serviceDir, 'dist', folder), { recursive: true });
  expect(await currentBundle(serviceDir)).toBeNull();
  for (const record of ['{"folder":', '{}', '[]', 'null', '']) {
    await write('services/mail/dist/made-from.json', record);
    expect(await currentBundle(serviceDir)).toBeNull();
  }
});

test('no bundle is current before there is one', async () => {
  expect(await currentBundle(serviceDir)).toBeNull();
});

const changes: readonly (readonly [string, () => Promise<void>])[] = [
  [
    'a source of the service',
    () => write('services/mail/src/later.ts', 'export const version = 7;'),
  ],
  ['a source of a package', () => write('packages/words/src/words.ts', 'export const words = 1;')],
  ['a thread', () => write('services/mail/src/deliver/deliver-worker.ts', '')],
  ['the versions of the dependencies', () => write('pnpm-lock.yaml', 'lockfileVersion: 10\n')],
  ['a source that is as long as before', () => touch('packages/words/src/words.ts')],
  ['what a package lets others import', () => write('packages/words/package.json', '{}')],
  ['a source that is gone', () => rm(join(root, 'services/mail/src/later.ts'))],
];

const touch = (path: string): Promise<void> => utimes(join(root, path), 1, 1);

test.each(changes)('no bundle is current after a change of %s', async (_, change) => {
  await bundleService({ root, serviceDir });
  await change();
  expect(await currentBundle(serviceDir)).toBeNull();
});

test('a source that finds something by its place in another way is named', async () => {
  await write(
    'services/mail/src/later.ts',
    "export const version = import.meta.resolve('./x.ts');",
  );
  await expect(bundleService({ root, serviceDir })).rejects.toThrow('later.ts finds something');
});
