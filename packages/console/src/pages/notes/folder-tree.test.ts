import { describe, expect, it } from '@jest/globals';
import { folderTree } from './folder-tree.ts';

describe('folders', () => {
  it('are a tree by name, with those that are only passed through', () => {
    expect(folderTree(['reports', 'lab/a/deep', 'lab/a', 'labour'])).toEqual([
      {
        name: 'lab',
        path: 'lab',
        folders: [
          {
            name: 'a',
            path: 'lab/a',
            folders: [{ name: 'deep', path: 'lab/a/deep', folders: [] }],
          },
        ],
      },
      { name: 'labour', path: 'labour', folders: [] },
      { name: 'reports', path: 'reports', folders: [] },
    ]);
  });

  it('are none where no note has one', () => {
    expect(folderTree([])).toEqual([]);
  });
});
