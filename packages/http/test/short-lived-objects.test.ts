import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

/** A request with its response is some 5,000 bytes; what its buffers leave behind, about a hundred. */
const bytesLeftMax = 1_000;

/**
 * In some processes V8 promotes what is in progress at each collection, whatever the pipeline does: about
 * 3,700 bytes a request. What the pipeline retains itself shows in every process.
 */
const processesMax = 12;

test('a finished request is freed by a collection of the young generation', async () => {
  const program = join(import.meta.dirname, 'bytes-left-main.ts');
  let least = Infinity;
  for (let count = 0; count < processesMax && !(least < bytesLeftMax); count += 1) {
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    least = Math.min(least, Number(stdout));
  }
  expect(least).toBeLessThan(bytesLeftMax);
}, 60_000);
