import { globSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '../repository-root.ts';
import { latePaths } from './late-files.ts';
import { waitingPaths } from './waiting-files.ts';

const testFiles = globSync('{packages,services,testing}/*/test/**/*.test.ts', {
  cwd: repositoryRoot,
});

describe('the lists of files that run last, and beside others', () => {
  it.each([...latePaths, ...waitingPaths])('has files at %s', (path) => {
    expect(testFiles.filter((file) => new RegExp(path).test(file))).not.toEqual([]);
  });
});
