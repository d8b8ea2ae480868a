import { afterEach, describe, expect, it } from '@jest/globals';
import { inspectResponse, startTestSystem, type TestSystem } from '../src/test-system.ts';
import { runDemo } from '../src/demo/run-demo.ts';

let running: TestSystem | undefined;

afterEach(async () => {
  await running?.stop();
  running = undefined;
});

describe('the tour of the README', () => {
  it.each(['local_trusted', 'authenticated'] as const)(
    'have the expected outcomes in %s mode',
    async (mode) => {
      running = await startTestSystem(mode);
      const lines: string[] = [];
      const options = {
        baseUrl: running.baseUrl,
        operatorHeaders: await running.boardHeaders(),
        print: (line: string) => lines.push(line),
        inspect: inspectResponse,
      };
      await runDemo(options);
      expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([]);
      expect(lines.filter((line) => line.startsWith('ok')).length).toBeGreaterThan(20);
      expect(lines.join('\n')).toContain(`mode: ${mode}`);
      lines.length = 0;
      await runDemo(options);
      // The companies of the first run are there, and no more of the same names are made.
      expect(lines.filter((line) => /FAIL|create the company/.test(line))).toEqual([]);
    },
  );
});
