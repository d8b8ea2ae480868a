import { describe, expect, it } from '@jest/globals';
import { folderTree } from './folder-tree.ts';

describe('folders', () => {
  it('are a tree by name, with those that only have subfolders, and count what is below them', () => {
    const counts = { '': 7, reports: 1, 'lab/a/deep': 2, 'lab/a': 3, labour: 4 };
    const folders = Object.entries(counts).map(([folder, notes]) => ({ folder, notes }));
    expect(folderTree(folders)).toEqual([
      {
        name: 'lab',
        path: 'lab',
        notes: 5,
        folders: [
          {
            name: 'a',
            path: 'lab/a',
            notes: 5,
            folders: [{ name: 'deep', path: 'lab/a/deep', notes: 2, folders: [] }],
          },
        ],
      },
      { name: 'labour', path: 'labour', notes: 4, folders: [] },
      { name: 'reports', path: 'reports', notes: 1, folders: [] },
    ]);
  });

  it('are none where no note has one', () => {
    expect(folderTree([{ folder: '', notes: 3 }])).toEqual([]);
  });
});
