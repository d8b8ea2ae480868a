import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';

const packageDir = join(import.meta.dirname, '..');
const dist = join(packageDir, 'dist');

type Manifest = Readonly<
  Record<string, { readonly file: string; readonly imports?: readonly string[] }>
>;

let manifest: Manifest;
beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(packageDir, 'build/main.ts')]);
  manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;
}, 150_000);

/** Adds a chunk and all it needs before it runs. */
const addNeeded = (name: string, found: Set<string>): void => {
  const chunk = manifest[name];
  if (!chunk) {
    throw new Error(`The build has no ${name}.`);
  }
  if (!found.has(chunk.file)) {
    found.add(chunk.file);
    for (const other of chunk.imports ?? []) {
      addNeeded(other, found);
    }
  }
};

/** The files of JavaScript that must be there before these can run. */
const neededBy = (...names: readonly string[]): ReadonlySet<string> => {
  const files = new Set<string>();
  for (const name of names) {
    addNeeded(name, files);
  }
  return files;
};

/** Their compressed bytes. */
const scriptBytes = async (...names: readonly string[]): Promise<number> => {
  const sizes = await Promise.all(
    [...neededBy(...names)].map(async (file) => gzipSync(await readFile(join(dist, file))).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

const layouts = ['src/app/shell/app-layout.tsx'];

describe('the build', () => {
  it('can be read by everyone: root may install it, and another user run the gateway', async () => {
    const names = await readdir(dist, { recursive: true });
    const modes = await Promise.all(
      ['.', ...names].map(async (name) => [name, (await stat(join(dist, name))).mode] as const),
    );
    expect(modes.filter(([, mode]) => (mode & 0o004) === 0)).toEqual([]);
  });

  it('can be read by everyone whatever the umask of who builds it', async () => {
    const root = await mkdtemp(join(tmpdir(), 'commonplace-modes-'));
    await mkdir(join(root, 'assets'), { mode: 0o700 });
    await writeFile(join(root, 'assets/app.js'), '', { mode: 0o600 });
    const program = `
      import { makeReadable } from './build/make-readable.ts';
      await makeReadable(process.argv[1]);`;
    const args = ['--input-type=module', '--eval', program, root];
    await promisify(execFile)(process.execPath, args, { cwd: packageDir });
    const modeOf = async (name: string) =>
      ((await stat(join(root, name))).mode & 0o777).toString(8);
    expect([await modeOf('.'), await modeOf('assets'), await modeOf('assets/app.js')]).toEqual([
      '755',
      '755',
      '644',
    ]);
    await rm(root, { recursive: true });
  });

  it('has the workers also in a folder with a space, # and ? in its path', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'commonplace-console-'));
    const root = join(parent, 'a b#c?d');
    const files = {
      'index.html': '<script type="module" src="main.ts"></script>',
      'main.ts': "new Worker(new URL('sum-worker.ts', import.meta.url), { type: 'module' });",
      'sum-worker.ts': "import { one } from './one.ts'; postMessage(one);",
      'one.ts': "export const one: string = 'in the worker';",
    };
    await mkdir(root);
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(root, name), text);
    }
    const program = `
      import { build } from 'vite';
      import { viteOptions } from './build/vite-options.ts';
      const root = process.argv[1];
      await build(viteOptions({ root, outDir: root + '/dist' }));`;
    const args = ['--input-type=module', '-e', program, root];
    await promisify(execFile)(process.execPath, args, { cwd: packageDir });
    const assets = join(root, 'dist/assets');
    const worker = (await readdir(assets)).find((name) => name.startsWith('sum-worker-')) ?? '';
    expect(await readFile(join(assets, worker), 'utf8')).toContain('in the worker');
    await rm(parent, { recursive: true });
  }, 60_000);
});

describe('the compressed JavaScript before the first paint', () => {
  it.each([
    ['what every page needs', [], 150_000],
    ['the login', ['src/pages/sign-in/login-page.tsx'], 170_000],
    ['the dashboard', [...layouts, 'src/pages/dashboard/dashboard-page.tsx'], 200_000],
    ['the notes', [...layouts, 'src/pages/notes/list/notes-page.tsx'], 200_000],
  ])('stays within its budget: %s', async (_, pages, bytesMax) => {
    const bytes = await scriptBytes('index.html', ...pages);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(bytesMax);
  });
});

describe('the files of JavaScript that a page waits for', () => {
  it.each([
    ['the notes', ['src/pages/notes/list/notes-page.tsx']],
    [
      'the editor',
      ['src/pages/notes/editor/edit-note-page.tsx', 'src/pages/notes/editor/markdown-editor.tsx'],
    ],
    ['the dashboard', ['src/pages/dashboard/dashboard-page.tsx']],
  ])('are few, because a browser finds each in the imports of another: %s', (_, pages) => {
    const files = neededBy('index.html', ...layouts, ...pages);
    expect(files.size).toBeGreaterThan(layouts.length);
    expect(files.size).toBeLessThanOrEqual(16);
  });
});
