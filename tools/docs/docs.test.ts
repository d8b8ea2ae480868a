import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '../repository-root.ts';
import { findDeadAnchors } from './find-dead-anchors.ts';
import { findDeadPaths, foldersOf } from './find-dead-paths.ts';
import { findForeignPackages } from './find-foreign-packages.ts';
import { findMissingTitles } from './find-missing-titles.ts';

const read = (file: string): string => readFileSync(join(repositoryRoot, file), 'utf8');
const files = new Set(
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 1 << 24,
  })
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(repositoryRoot, file))),
);
const pages = [...files].filter((file) => file.endsWith('.md'));
const places = { files, folders: foldersOf(files) };

/** Others say what was. */
const isOfToday = (page: string): boolean => !/^(?:CHANGELOG\.md|docs\/postmortems\/)/.test(page);

/** Methods of MCP, which look like paths of the folder `tools`. */
const methods = new Set(['tools/list', 'tools/call']);

describe('pages', () => {
  it('name only files and folders that exist', () => {
    expect(pages.length).toBeGreaterThan(50);
    const dead = pages.flatMap((page) => findDeadPaths(page, read(page), places));
    expect(dead.filter(({ path }) => !methods.has(path))).toEqual([]);
  });

  it('link only to headings that the pages have', () => {
    const readPage = (file: string): string => (files.has(file) ? read(file) : '');
    expect(pages.flatMap((page) => findDeadAnchors(page, read(page), readPage))).toEqual([]);
  });

  it('and what the product prints name only packages that the registry gives to those we mean', () => {
    const shown = [...files].filter((file) =>
      /^(?:packages\/(?:cli|console|openapi)\/src\/.*\.tsx?|\.env\.example|docker-compose\.yml)$/.test(
        file,
      ),
    );
    expect(shown.length).toBeGreaterThan(50);
    const foreign = [...pages.filter(isOfToday), ...shown].flatMap((file) =>
      findForeignPackages(file, read(file)),
    );
    expect(foreign).toEqual([]);
  });

  it('quote only tests that stand in the file they name', () => {
    const readTest = (file: string): string => (files.has(file) ? read(file) : '');
    const postmortems = pages.filter((page) => page.startsWith('docs/postmortems/'));
    expect(postmortems.flatMap((page) => findMissingTitles(page, read(page), readTest))).toEqual(
      [],
    );
  });
});

describe('findDeadPaths', () => {
  it('finds dead paths and links, and leaves alone what is no path of the repository', () => {
    const text = [
      '`tools/gone.ts`, `tools/docs`, `text/plain`, [here](./missing.md), [there](../README.md#x)',
      '```sh',
      'cat `tools/in-a-block.ts`',
      '```',
    ].join('\n');
    expect(findDeadPaths('docs/page.md', text, places).map(({ path }) => path)).toEqual([
      'tools/gone.ts',
      'docs/missing.md',
    ]);
  });
});

describe('findDeadAnchors', () => {
  it('finds links to headings that are gone, in the page itself and in others', () => {
    const text = [
      '# A `page`: here, [there](x.md)',
      '[1](#a-page-here-there) [2](#gone) [3](other.md#scaling) [4](../docs/other.md#gone)',
      '[5](https://example.org/#x) [6](data.json#x)',
      '```md',
      '[7](#in-a-block)',
      '```',
    ].join('\n');
    const readPage = (file: string): string => (file === 'docs/page.md' ? text : '## Scaling');
    expect(findDeadAnchors('docs/page.md', text, readPage).map(({ link }) => link)).toEqual([
      '#gone',
      '../docs/other.md#gone',
    ]);
  });
});

describe('findForeignPackages', () => {
  const namesIn = (text: string): string[] =>
    findForeignPackages('page.md', text).map(({ name }) => name);

  it('finds names in commands and in configurations of MCP clients, ours among them', () => {
    expect(namesIn('`claude mcp add x -- npx -y commonplace mcp`')).toEqual(['commonplace']);
    expect(namesIn('"command": "npx",\n "args": ["-y", "commonplace@2", "mcp"]')).toEqual([
      'commonplace',
    ]);
    expect(namesIn('npm install --global --prefix $HOME \\\n  @commonplace/client other')).toEqual([
      '@commonplace/client',
      'other',
    ]);
    expect(namesIn('npx --package left-pad commonplace\npnpm dlx @a/b@1')).toEqual([
      'left-pad',
      '@a/b',
    ]);
  });

  it('leaves alone URLs, paths, placeholders, names we vouch for, and what is there already', () => {
    const url = 'https://notes.example.org/packages/commonplace.tgz';
    for (const text of [
      `npm install --global ${url}`,
      `npx -y --package=${url} commonplace mcp`,
      `"command": "npx", "args": ["-y", "--package", "${url}", "commonplace"]`,
      'npm install ./dist-packages/commonplace.tgz <file> $FILE',
      'npx -y pnpm@12 commonplace whoami',
      'npx --no-install commonplace',
      '`npm install` takes it',
    ]) {
      expect([text, namesIn(text)]).toEqual([text, []]);
    }
  });
});

describe('findMissingTitles', () => {
  it('compares titles with the file named before them, across lines and ellipses', () => {
    const text =
      '`a.test.ts`: "is\ntrue", "ends … well", "is gone". `b.test.ts`: "is there"\n\n"no title"';
    const source = (file: string): string =>
      file === 'a.test.ts' ? "it('is true'); it('ends so well')" : '';
    expect(findMissingTitles('p.md', text, source).map(({ title }) => title)).toEqual([
      'is gone',
      'is there',
    ]);
  });
});
