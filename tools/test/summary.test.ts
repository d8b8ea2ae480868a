import { describe, expect, it } from '@jest/globals';
import type { TestFile } from './jest/report-to-parent.ts';
import { summarize, type Run } from './summary.ts';

const file = (name: string, others: Partial<TestFile> = {}): TestFile => ({
  file: name,
  seconds: 1,
  passed: 10,
  failed: 0,
  skippedTitles: [],
  failure: '',
  ...others,
});

const run = (others: Partial<Run> = {}): Run => ({
  haveChecksPassed: true,
  hasPassed: true,
  files: [file('a.test.ts'), file('b.test.ts', { seconds: 61 })],
  seconds: 62,
  missing: [],
  leftOut: [],
  ...others,
});

describe('the summary of a run', () => {
  it('ends with the counts, after the verdict and the slowest files', () => {
    expect(summarize(run())).toEqual([
      '',
      '   61 s  b.test.ts',
      '    1 s  a.test.ts',
      'checks passed, tests passed: 2 files in 62 s',
      '20 passed, 0 failed',
    ]);
  });

  it('names each reason for skipped tests once', () => {
    const skipped = (name: string) =>
      file(name, { skippedTitles: ['moves (skipped: no Citus)', 'rebalances'] });
    expect(summarize(run({ files: [skipped('a'), skipped('b'), file('c')] }))).toContain(
      'skipped 4 tests: skipped: no Citus (2 files)',
    );
  });

  it('fits on a screen, whatever happened', () => {
    const files = Array.from({ length: 300 }, (_, index) =>
      file(`${index}.test.ts`, { failed: 2, skippedTitles: ['x (not on this machine)'] }),
    );
    const missing = ['Chromium', 'nginx', 'zsh'].map((name) => ({
      program: { name, commands: [], debianPackage: name, neededBy: /./ },
      files: ['a', 'b'],
    }));
    const lines = summarize(run({ files, missing, leftOut: files }));
    expect(lines.length).toBeLessThanOrEqual(18);
    expect(lines.at(-1)).toBe('3000 passed, 600 failed');
  });
});
