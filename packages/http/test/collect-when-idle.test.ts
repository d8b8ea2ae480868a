import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const module = JSON.stringify(new URL('../src/runtime/collect-when-idle.ts', import.meta.url).href);

/** Works with buffers for a second, then waits until they are gone. Prints their bytes before and after. */
const program = `
  import { setImmediate as yieldOnce, setTimeout as sleep } from 'node:timers/promises';
  const { collectWhenIdle } = await import(${module});
  collectWhenIdle({ everyMs: 200 });
  let buffers = [];
  for (const end = performance.now() + 1_000; performance.now() < end; ) {
    buffers = Array.from({ length: 200 }, () => Buffer.alloc(100_000));
    await yieldOnce();
  }
  buffers = null;
  const { arrayBuffers: before } = process.memoryUsage();
  let after = before;
  for (let count = 0; count < 200 && after > 1_000_000; count += 1) {
    await sleep(100);
    after = process.memoryUsage().arrayBuffers;
  }
  console.log(JSON.stringify({ before, after }));`;

it('a process that was busy and is idle frees the buffers it no longer uses', async () => {
  const args = ['--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { before, after } = JSON.parse(stdout) as {
    readonly before: number;
    readonly after: number;
  };
  expect(before).toBeGreaterThan(10_000_000);
  expect(after).toBeLessThan(1_000_000);
}, 60_000);
