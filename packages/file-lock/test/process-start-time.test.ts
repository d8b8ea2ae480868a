import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { hasStartTimeByPs, startTimeByPs } from '../src/process-start-time.ts';

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
  expect(startTime).toMatch(/^utc:\w{3} \w{3} .*\d{4}$/);
  expect(await startTimeIn('Asia/Tokyo')).toBe(startTime);
  expect(await startTimeIn('America/New_York')).toBe(startTime);
});

it('a start time of an earlier release, which has no mark and is not in UTC, is that of its process', async () => {
  const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(process.pid)]);
  const ofEarlierRelease = stdout.trim();
  const startTime = await startTimeByPs(process.pid);
  expect(await hasStartTimeByPs(process.pid, ofEarlierRelease)).toBe(true);
  expect(await hasStartTimeByPs(process.pid, String(startTime))).toBe(true);
  expect(await hasStartTimeByPs(process.ppid, 'utc:Thu Jan  1 00:00:00 1970')).toBe(false);
  expect(await hasStartTimeByPs(2 ** 30, ofEarlierRelease)).toBe(false);
});

it('a process that does not exist has no start time by ps', async () => {
  expect(await startTimeByPs(2 ** 30)).toBeNull();
});
