import { expect, it } from '@jest/globals';
import type { JestMessage } from './jest/report-to-parent.ts';
import { runJest } from './run-jest.ts';

it('runs the files that arguments choose, and no others', async () => {
  const messages: JestMessage[] = [];
  const exitCode = await runJest({
    args: ['tools/test/summary.test.ts', 'tools/test/late-files.test.ts'],
    onMessage: (message) => messages.push(message),
  });
  const ended = messages.flatMap((message) => ('ended' in message ? [message.ended] : []));
  expect(ended.map(({ file }) => file).toSorted()).toEqual([
    'tools/test/late-files.test.ts',
    'tools/test/summary.test.ts',
  ]);
  expect(ended.every(({ passed, failed }) => passed > 0 && failed === 0)).toBe(true);
  expect(exitCode).toBe(0);
}, 60_000);
