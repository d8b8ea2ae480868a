import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';

const packageDir = join(import.meta.dirname, '..');
const assets = join(packageDir, 'dist/assets');
const resolve = createRequire(import.meta.url).resolve;

/** Mantine's names of classes. */
const className = /\bm_[\da-f]{4,}\b/g;
const imported = /@import '(@mantine\/core\/styles\/\w[\w-]*\.css)';/g;

const classesOf = (text: string): ReadonlySet<string> => new Set(text.match(className));

const readPackage = (name: string): Promise<string> => readFile(resolve(name), 'utf8');

/** All files of the build with this extension. */
const readAssets = async (extension: string): Promise<string> => {
  const names = (await readdir(assets)).filter((name) => name.endsWith(extension));
  return (await Promise.all(names.map((name) => readFile(join(assets, name), 'utf8')))).join('\n');
};

let all: string;
let used: ReadonlySet<string>;
let listed: readonly string[];
beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(packageDir, 'build/main.ts')]);
  all = await readPackage('@mantine/core/styles.css');
  used = classesOf(await readAssets('.js'));
  const list = await readFile(join(packageDir, 'src/app/shell/mantine.css'), 'utf8');
  listed = [...list.matchAll(imported)].map(([, name = '']) => name);
}, 150_000);

describe('the stylesheets of Mantine', () => {
  it('are those of every component in the build', async () => {
    const styled = classesOf(await readAssets('.css'));
    const known = [...classesOf(all)].filter((name) => used.has(name));
    expect(known.length).toBeGreaterThan(100);
    const folder = resolve('@mantine/core/styles.css').replace(/\.css$/, '');
    const files = (await readdir(folder)).filter((name) => /^\w+\.css$/.test(name));
    const missing: string[] = [];
    for (const name of files) {
      const classes = classesOf(await readFile(join(folder, name), 'utf8'));
      if ([...classes].some((each) => used.has(each) && !styled.has(each))) {
        missing.push(`@import '@mantine/core/styles/${name}';`);
      }
    }
    expect(missing).toEqual([]);
    expect(known.filter((name) => !styled.has(name))).toEqual([]);
  });

  it('are in the order of the stylesheet of all, and none is unused', async () => {
    const places: number[] = [];
    for (const name of listed) {
      const text = await readPackage(name);
      const classes = [...classesOf(text)];
      places.push(all.indexOf(text.trim().slice(0, 200)));
      // Those without classes are for all components.
      expect({
        name,
        isUsed: classes.length === 0 || classes.some((each) => used.has(each)),
      }).toEqual({
        name,
        isUsed: true,
      });
    }
    expect(Math.min(...places)).toBe(0);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});

describe('the stylesheet of the page', () => {
  it('is only preloaded, which blocks no paint', async () => {
    const page = await readFile(join(packageDir, 'dist/index.html'), 'utf8');
    const links = page.match(/<link\b[^>]*\.css"[^>]*>/g) ?? [];
    expect(links).toHaveLength(1);
    expect(links.join('')).toMatch(/^<link rel="preload" as="style" crossorigin href="/);
  });
});
