import { link, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { unreadStats } from './file-stats.ts';
import { folderPaths, stateFolder, type FolderPaths } from './folder-paths.ts';
import { hashOf, readFolderState, type FileEntry, type FolderState } from './folder-state.ts';
import { saveJournal, replayJournal, type JournalEntry } from './write-journal.ts';

let paths: FolderPaths;
beforeEach(async () => {
  paths = folderPaths(await mkdtemp(join(tmpdir(), 'commonplace-plan-')));
  await mkdir(join(paths.root, stateFolder));
});
afterEach(() => rm(paths.root, { recursive: true, force: true }));

const oldEntry: FileEntry = {
  noteId: 'note',
  fileHash: hashOf('before'),
  textHash: 'old text',
  ...unreadStats,
  origin: { revision: 1 },
};
const newEntry: JournalEntry = {
  noteId: 'note',
  path: 'New.md',
  from: null,
  fileHash: hashOf('after'),
  textHash: 'new text',
  origin: { revision: 2 },
};
const movedEntry: JournalEntry = { ...newEntry, from: 'Old.md' };

type Killed = {
  readonly plan: JournalEntry;
  readonly files: Readonly<Record<string, string>>;
  /** Whether the program wrote the new file, whatever its content is now. */
  readonly isOurs?: boolean;
};

/** Replays the journal of a killed program with these files in the folder. */
const replayAfterKill = async ({ plan, files, isOurs = false }: Killed) => {
  const known: [string, FileEntry][] = plan.from === null ? [] : [[plan.from, oldEntry]];
  const state: FolderState = {
    baseUrl: 'http://x',
    companyId: 'c',
    files: new Map(known),
    unread: [],
  };
  await saveJournal(paths, [plan]);
  for (const [path, text] of Object.entries(files)) {
    await writeFile(join(paths.root, path), text);
  }
  if (isOurs) {
    await mkdir(paths.staged);
    await link(join(paths.root, plan.path), join(paths.staged, `${plan.noteId}.md`));
  }
  await replayJournal(paths, state);
  expect(await readFolderState(paths.state)).toEqual(state);
  expect(await readdir(paths.staged).catch(() => [])).toEqual([]);
  const left = (await readdir(paths.root)).filter((name) => name !== stateFolder);
  return { left, notes: [...state.files].map(([path, { noteId }]) => [path, noteId]) };
};

describe('after a kill', () => {
  it.each([
    ['before the file was written', {}, false],
    ['after it was written', { 'New.md': 'after' }, false],
    ['after it was written and then edited', { 'New.md': 'edited' }, true],
  ])('%s, a new file belongs to its note or does not exist', async (_, files, isOurs) => {
    const left = Object.keys(files);
    expect(await replayAfterKill({ plan: newEntry, files, isOurs })).toEqual({
      left,
      notes: left.map((path) => [path, 'note']),
    });
  });

  it('a file that someone else created at the path of the entry belongs to no note yet', async () => {
    const files = { 'New.md': 'mine' };
    expect(await replayAfterKill({ plan: newEntry, files })).toEqual({
      left: ['New.md'],
      notes: [],
    });
  });

  it('a folder at the path of the entry stays as it is', async () => {
    await mkdir(join(paths.root, 'New.md'));
    expect(await replayAfterKill({ plan: newEntry, files: {} })).toEqual({
      left: ['New.md'],
      notes: [],
    });
  });

  it.each([
    ['before it began', { 'Old.md': 'before' }, false, ['Old.md']],
    ['halfway', { 'Old.md': 'before', 'New.md': 'after' }, true, ['New.md']],
    [
      'halfway, the new file edited since',
      { 'Old.md': 'before', 'New.md': 'mine' },
      true,
      ['New.md'],
    ],
    [
      'halfway, the old file edited since',
      { 'Old.md': 'mine', 'New.md': 'after' },
      true,
      ['Old.md'],
    ],
    ['at its end', { 'New.md': 'after' }, true, ['New.md']],
  ])(
    'a move interrupted %s leaves one file, and no text is lost',
    async (...[, files, isOurs, left]) => {
      expect(await replayAfterKill({ plan: movedEntry, files, isOurs })).toEqual({
        left,
        notes: [[left[0], 'note']],
      });
    },
  );
});
