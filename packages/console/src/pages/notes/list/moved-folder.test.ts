import { describe, expect, it } from '@jest/globals';
import { movedFolder } from './moved-folder.ts';

describe('the folder of a note, when one above it is moved', () => {
  it.each([
    { folder: 'handbook', from: 'handbook', to: 'guide', moved: 'guide' },
    { folder: 'handbook/rules', from: 'handbook', to: 'guide', moved: 'guide/rules' },
    { folder: 'a/b/c', from: 'a/b', to: 'x/y', moved: 'x/y/c' },
    { folder: 'a/b', from: 'a', to: 'a/b', moved: 'a/b/b' },
    { folder: 'a/b', from: 'a', to: '', moved: 'b' },
    { folder: 'a', from: 'a', to: '', moved: '' },
  ])('$folder with $from moved to "$to" is "$moved"', ({ folder, moved, ...move }) => {
    expect(movedFolder(folder, move)).toBe(moved);
  });
});
