import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { folderPaths, stateFolder } from './folder-paths.ts';
import { replaceFile } from './replace-file.ts';

it.each(['../../outside', '..\\..\\outside', 'a/b', '/outside'])(
  'a server cannot have a file written elsewhere by the id of a note: %s',
  async (noteId) => {
    const outer = await mkdtemp(join(tmpdir(), 'commonplace-replace-'));
    const paths = folderPaths(join(outer, 'notes'));
    await mkdir(join(paths.root, stateFolder), { recursive: true });
    const write = { noteId, path: 'New.md', content: 'text', expectedHash: null, modeFrom: null };
    await expect(replaceFile(paths, write)).rejects.toThrow('is not a file name');
    expect([await readdir(outer), await readdir(paths.root)]).toEqual([['notes'], [stateFolder]]);
    await rm(outer, { recursive: true, force: true });
  },
);
