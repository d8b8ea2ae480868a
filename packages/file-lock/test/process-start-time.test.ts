import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { startTimeByPs } from '../src/process-start-time.ts';

const run = promisify(execFile);
const module = JSON.stringify(new URL('../src/process-start-time.ts', import.meta.url).href);
const source = `
  import { startTimeByPs } from ${module};
  process.stdout.write(String(await startTimeByPs(${process.pid})));`;

it('the start time by ps is the same in every time zone', async () => {
  const startTimeIn = async (zone: string): Promise<string> => {
    const args = ['--input-type=module', '--eval', source];
    return (await run(process.execPath, args, { env: { TZ: zone } })).stdout;
  };
  const startTime = await startTimeByPs(process.pid);
  expect(startTime).toMatch(/^\w{3} \w{3} .*\d{4}$/);
  expect(await startTimeIn('Asia/Tokyo')).toBe(startTime);
  expect(await startTimeIn('America/New_York')).toBe(startTime);
});

it('a process that does not exist has no start time by ps', async () => {
  expect(await startTimeByPs(2 ** 30)).toBeNull();
});
