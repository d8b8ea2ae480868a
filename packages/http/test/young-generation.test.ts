import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const bytesOfThread = async (semiSpaceMegabytes: number): Promise<number> => {
  const program = join(import.meta.dirname, 'young-generation-main.ts');
  const args = ['--max-semi-space-size=16', program, String(semiSpaceMegabytes)];
  return Number((await promisify(execFile)(process.execPath, args)).stdout);
};

test('the young generation of a thread stays in its limit, whatever the command line allows the main thread', async () => {
  const [limited, asMain] = await Promise.all([bytesOfThread(2), bytesOfThread(16)]);
  expect(limited).toBeLessThanOrEqual(3 * 2 * 1024 * 1024);
  expect(asMain).toBeGreaterThan(2 * limited);
}, 60_000);
