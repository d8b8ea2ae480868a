import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { folderPaths, ownFolder, type FolderPaths } from './folder-paths.ts';
import { hashOf, readFolderState, type FileEntry, type FolderState } from './folder-state.ts';
import { savePlan, settlePlan, type PlannedFile } from './write-plan.ts';

let paths: FolderPaths;
beforeEach(async () => {
  paths = folderPaths(await mkdtemp(join(tmpdir(), 'commonplace-plan-')));
});
afterEach(() => rm(paths.root, { recursive: true, force: true }));

const oldEntry: FileEntry = {
  noteId: 'note',
  fileHash: hashOf('before'),
  textHash: 'old text',
  size: 6,
  mtimeMs: 1,
  inode: 1,
  origin: { revision: 1 },
};
const planned: PlannedFile = {
  noteId: 'note',
  path: 'New.md',
  from: null,
  fileHash: hashOf('after'),
  textHash: 'new text',
  origin: { revision: 2 },
};
const moved: PlannedFile = { ...planned, from: 'Old.md' };

/** Lets a program be killed over this plan, with these files in the folder, and looks again. */
const settled = async (plan: PlannedFile, files: Record<string, string>) => {
  const known: [string, FileEntry][] = plan.from === null ? [] : [[plan.from, oldEntry]];
  const state: FolderState = { baseUrl: 'http://x', companyId: 'c', files: new Map(known) };
  await savePlan(paths, [plan]);
  for (const [path, text] of Object.entries(files)) {
    await writeFile(join(paths.root, path), text);
  }
  await settlePlan(paths, state);
  expect(await readFolderState(paths.state)).toEqual(state);
  const left = (await readdir(paths.root)).filter((name) => name !== ownFolder);
  return { left, notes: [...state.files].map(([path, { noteId }]) => [path, noteId]) };
};

describe('after a kill', () => {
  it.each([
    ['that came before the file', {}],
    ['that came behind it', { 'New.md': 'after' }],
    ['and an edit since', { 'New.md': 'edited' }],
  ])('%s, a new file is its note’s or not there', async (_, files) => {
    const left = Object.keys(files);
    expect(await settled(planned, files)).toEqual({
      left,
      notes: left.map((path) => [path, 'note']),
    });
  });

  it.each([
    ['before it began', { 'Old.md': 'before' }, ['Old.md']],
    ['half way', { 'Old.md': 'before', 'New.md': 'after' }, ['New.md']],
    ['half way, the new file edited since', { 'Old.md': 'before', 'New.md': 'mine' }, ['New.md']],
    ['half way, the old file edited since', { 'Old.md': 'mine', 'New.md': 'after' }, ['Old.md']],
    ['at its end', { 'New.md': 'after' }, ['New.md']],
  ])('a move that was %s leaves one file, and nobody’s text is gone', async (_, files, left) => {
    expect(await settled(moved, files)).toEqual({ left, notes: [[left[0], 'note']] });
  });
});
