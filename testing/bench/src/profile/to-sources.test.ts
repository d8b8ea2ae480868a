import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { createToSources } from './to-sources.ts';

it('a frame of a bundle has the address of its source, and any other its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-maps-'));
  const url = pathToFileURL(join(folder, 'main.js')).href;
  // The first line is that of a library, the second ours.
  const map = {
    version: 3,
    file: 'main.js',
    names: [],
    sources: ['../node_modules/zod/index.js', '../src/read.ts'],
    mappings: 'AAAA;ACAA',
  };
  writeFileSync(join(folder, 'main.js.map'), JSON.stringify(map));
  const toSources = createToSources();
  const frame = (lineNumber: number, of = url) =>
    toSources({ functionName: 'read', url: of, lineNumber, columnNumber: 4 }).url;
  expect([frame(0), frame(1), frame(0, 'node:http'), frame(0, `${url}x`), frame(0, '')]).toEqual([
    new URL('../node_modules/zod/index.js', url).href,
    new URL('../src/read.ts', url).href,
    'node:http',
    `${url}x`,
    '',
  ]);
});
