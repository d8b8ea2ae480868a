import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

/** A request with its answer is some 5,000 bytes; what its buffers leave behind, about a hundred. */
const bytesLeftMax = 1_000;

test('a request that was answered is freed by a collection of young objects', async () => {
  const program = join(import.meta.dirname, 'bytes-left-main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  expect(Number(stdout)).toBeLessThan(bytesLeftMax);
});
