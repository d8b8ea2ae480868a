import { describe, expect, it } from '@jest/globals';
import { runJest } from '../run-jest.ts';
import { leftOutTitle } from './optional-files.ts';
import type { JestMessage } from './report-to-parent.ts';

const quick = [
  'packages/concurrency/src/pause.test.ts',
  'tools/commit-message/find-message-faults.test.ts',
];

/** Runs the two files, the second of which is optional until then. */
const runUntil = async (untilMs: number | undefined) => {
  const messages: JestMessage[] = [];
  const exitCode = await runJest({
    args: ['--runTestsByPath', ...quick],
    optional: { files: quick.slice(1), untilMs },
    onMessage: (message) => messages.push(message),
  });
  return {
    exitCode,
    started: messages.flatMap((each) => ('started' in each ? [each.started] : [])),
    ended: messages.flatMap((each) => ('ended' in each ? [each.ended] : [])),
  };
};

describe('an optional file', () => {
  it('runs after the others as long as there is time, and is left out by name when it is over', async () => {
    const [required, optional] = quick;
    const inTime = await runUntil(undefined);
    expect(inTime.exitCode).toBe(0);
    expect(inTime.started).toEqual([required, optional]);
    expect(inTime.ended.every(({ passed }) => passed > 0)).toBe(true);
    const late = await runUntil(0);
    expect(late.exitCode).toBe(0);
    const passed = new Map(late.ended.map((each) => [each.file, each.passed]));
    expect(passed.get(required ?? '')).toBeGreaterThan(0);
    expect(late.ended.find(({ file }) => file === optional)).toMatchObject({
      passed: 0,
      failed: 0,
      skippedTitles: [leftOutTitle],
    });
  }, 120_000);
});
