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
      await runDemo({
        baseUrl: running.baseUrl,
        operatorHeaders: await running.boardHeaders(),
        print: (line) => lines.push(line),
        inspect: inspectResponse,
      });
      expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([]);
      expect(lines.filter((line) => line.startsWith('ok')).length).toBeGreaterThan(20);
      expect(lines.join('\n')).toContain(`mode: ${mode}`);
    },
  );
});
