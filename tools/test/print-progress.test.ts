import { describe, expect, it } from '@jest/globals';
import type { TestFile } from './jest/report-to-parent.ts';
import { printProgress } from './print-progress.ts';

const quick: TestFile = {
  file: 'quick.test.ts',
  seconds: 1,
  passed: 3,
  failed: 0,
  skippedTitles: [],
  failure: '',
};

describe('the progress of a run', () => {
  it('names what fails, with the failure, and what takes long, and nothing else', () => {
    const lines: string[] = [];
    const progress = printProgress({ fileCount: 100, print: (line) => lines.push(line) });
    const files = [
      quick,
      { ...quick, file: 'long.test.ts', seconds: 90 },
      { ...quick, file: 'failed.test.ts', failed: 1, failure: 'expected 1' },
    ];
    for (const file of files) {
      progress.onMessage({ started: file.file });
      progress.onMessage({ ended: file });
    }
    expect(progress.end()).toEqual(files);
    expect(lines).toEqual([
      'passed  long.test.ts: 3 tests, 90.0 s',
      'FAILED  failed.test.ts: 1 of 4 tests, 1.0 s\nexpected 1\n',
    ]);
  });
});
