import { link, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { neverLookedAt } from './file-stats.ts';
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
  ...neverLookedAt,
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

type Killed = {
  readonly plan: PlannedFile;
  readonly files: Readonly<Record<string, string>>;
  /** Whether the new file is the one that the program wrote, whatever it says by now. */
  readonly isOurs?: boolean;
};

/** Lets a program be killed over this plan, with these files in the folder, and looks again. */
const settled = async ({ plan, files, isOurs = false }: Killed) => {
  const known: [string, FileEntry][] = plan.from === null ? [] : [[plan.from, oldEntry]];
  const state: FolderState = {
    baseUrl: 'http://x',
    companyId: 'c',
    files: new Map(known),
    unread: [],
  };
  await savePlan(paths, [plan]);
  for (const [path, text] of Object.entries(files)) {
    await writeFile(join(paths.root, path), text);
  }
  if (isOurs) {
    await mkdir(paths.fresh);
    await link(join(paths.root, plan.path), join(paths.fresh, `${plan.noteId}.md`));
  }
  await settlePlan(paths, state);
  expect(await readFolderState(paths.state)).toEqual(state);
  expect(await readdir(paths.fresh).catch(() => [])).toEqual([]);
  const left = (await readdir(paths.root)).filter((name) => name !== ownFolder);
  return { left, notes: [...state.files].map(([path, { noteId }]) => [path, noteId]) };
};

describe('after a kill', () => {
  it.each([
    ['that came before the file', {}, false],
    ['that came behind it', { 'New.md': 'after' }, false],
    ['and an edit since', { 'New.md': 'edited' }, true],
  ])('%s, a new file is its note’s or not there', async (_, files, isOurs) => {
    const left = Object.keys(files);
    expect(await settled({ plan: planned, files, isOurs })).toEqual({
      left,
      notes: left.map((path) => [path, 'note']),
    });
  });

  it('a file that somebody made in the place of a planned one is nobody’s note yet', async () => {
    const files = { 'New.md': 'mine' };
    expect(await settled({ plan: planned, files })).toEqual({ left: ['New.md'], notes: [] });
  });

  it('a folder in the place of a planned file is left alone', async () => {
    await mkdir(join(paths.root, 'New.md'));
    expect(await settled({ plan: planned, files: {} })).toEqual({ left: ['New.md'], notes: [] });
  });

  it.each([
    ['before it began', { 'Old.md': 'before' }, false, ['Old.md']],
    ['half way', { 'Old.md': 'before', 'New.md': 'after' }, true, ['New.md']],
    ['half way, the new edited since', { 'Old.md': 'before', 'New.md': 'mine' }, true, ['New.md']],
    ['half way, the old edited since', { 'Old.md': 'mine', 'New.md': 'after' }, true, ['Old.md']],
    ['at its end', { 'New.md': 'after' }, true, ['New.md']],
  ])(
    'a move that was %s leaves one file, and nobody’s text is gone',
    async (...[, files, isOurs, left]) => {
      expect(await settled({ plan: moved, files, isOurs })).toEqual({
        left,
        notes: [[left[0], 'note']],
      });
    },
  );
});
