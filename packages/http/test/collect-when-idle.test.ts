import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const module = JSON.stringify(new URL('../src/runtime/collect-when-idle.ts', import.meta.url).href);

const runProgram = async <Figures>(program: string): Promise<Figures> => {
  // V8 itself would collect after eight idle seconds.
  const args = ['--no-memory-reducer', '--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Figures;
};

type Bytes = { readonly before: number; readonly after: number };

/** Works with buffers for a second, then waits until they are gone. Prints their bytes before and after. */
const workWithBuffers = `
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
  const { before, after } = await runProgram<Bytes>(workWithBuffers);
  expect(before).toBeGreaterThan(10_000_000);
  expect(after).toBeLessThan(1_000_000);
}, 60_000);

/** Fills its heap, as loading modules does, then only waits. Prints the resident bytes of the process before and after. */
const startWithObjects = `
  import { setTimeout as sleep } from 'node:timers/promises';
  const { collectWhenIdle } = await import(${module});
  let objects = Array.from({ length: 4_000_000 }, (_, count) => ({ count, text: 'text ' + count }));
  const before = process.memoryUsage.rss();
  objects = null;
  collectWhenIdle({ everyMs: 200 });
  let after = before;
  for (let count = 0; count < 200 && after > before / 2; count += 1) {
    await sleep(100);
    after = process.memoryUsage.rss();
  }
  console.log(JSON.stringify({ before, after }));`;

it('a process that has started and is idle returns what it no longer needs to the system', async () => {
  const { before, after } = await runProgram<Bytes>(startWithObjects);
  expect(before).toBeGreaterThan(150_000_000);
  expect(after).toBeLessThan(before / 2);
}, 60_000);

/** Works with many objects for some time, then waits. Prints the resident bytes of the process before and after. */
const workWithObjects = `
  import { setImmediate as yieldOnce, setTimeout as sleep } from 'node:timers/promises';
  const { collectWhenIdle } = await import(${module});
  collectWhenIdle({ everyMs: 500, largeFromBytes: 150_000_000 });
  let objects = [];
  for (let round = 0; round < 100; round += 1) {
    for (let count = 0; count < 40_000; count += 1) {
      objects.push({ count, text: 'text ' + count });
    }
    await yieldOnce();
  }
  objects = null;
  const before = process.memoryUsage.rss();
  let after = before;
  for (let count = 0; count < 200 && after > before / 2; count += 1) {
    await sleep(100);
    after = process.memoryUsage.rss();
  }
  console.log(JSON.stringify({ before, after }));`;

it('a large process that is idle returns the memory of its heap to the system', async () => {
  const { before, after } = await runProgram<Bytes>(workWithObjects);
  expect(before).toBeGreaterThan(250_000_000);
  expect(after).toBeLessThan(before / 2);
}, 60_000);

it('a process of any size returns the memory of its heap to the system when its load is over for good', async () => {
  const program = workWithObjects.replace('150_000_000', '10_000_000_000');
  const { before, after } = await runProgram<Bytes>(program);
  expect(before).toBeGreaterThan(250_000_000);
  expect(after).toBeLessThan(before / 2);
}, 60_000);

/** Has little to do from its start on, and is idle only later. Prints the resident bytes of the process before and after. */
const workALittle = `
  import { performance } from 'node:perf_hooks';
  import { setTimeout as sleep } from 'node:timers/promises';
  const { collectWhenIdle } = await import(${module});
  let utilization = 0.12;
  let measured = 0;
  performance.eventLoopUtilization = () => {
    measured += 1;
    return { utilization };
  };
  let objects = Array.from({ length: 4_000_000 }, (_, count) => ({ count, text: 'text ' + count }));
  const before = process.memoryUsage.rss();
  objects = null;
  collectWhenIdle({ everyMs: 10 });
  const untilMeasured = async (count) => {
    while (measured < count) {
      await sleep(10);
    }
  };
  await untilMeasured(40);
  utilization = 0.01;
  await untilMeasured(80);
  console.log(JSON.stringify({ before, after: process.memoryUsage.rss() }));`;

it('a process that has worked for some time since its start does not collect when it is idle', async () => {
  const { before, after } = await runProgram<Bytes>(workALittle);
  expect(before).toBeGreaterThan(150_000_000);
  expect(after).toBeGreaterThan(before * 0.9);
}, 60_000);

/** Is idle, works a little for some time and gains much by it, and is idle again. Prints the resident bytes of the process. */
const grow = `
  import { performance } from 'node:perf_hooks';
  import { setTimeout as sleep } from 'node:timers/promises';
  const { collectWhenIdle } = await import(${module});
  let utilization = 0.01;
  let measured = 0;
  performance.eventLoopUtilization = () => {
    measured += 1;
    return { utilization };
  };
  collectWhenIdle({ everyMs: 10 });
  const untilMeasured = async (count) => {
    while (measured < count) {
      await sleep(10);
    }
  };
  await untilMeasured(40);
  utilization = 0.12;
  let objects = Array.from({ length: 4_000_000 }, (_, count) => ({ count, text: 'text ' + count }));
  const before = process.memoryUsage.rss();
  objects = null;
  await untilMeasured(80);
  const meanwhile = process.memoryUsage.rss();
  utilization = 0.01;
  await untilMeasured(120);
  console.log(JSON.stringify({ before, meanwhile, after: process.memoryUsage.rss() }));`;

it('a process that gained much by little work returns it once it is idle, and not before', async () => {
  const { before, meanwhile, after } = await runProgram<Bytes & { meanwhile: number }>(grow);
  expect(before).toBeGreaterThan(150_000_000);
  expect(meanwhile).toBeGreaterThan(before * 0.9);
  expect(after).toBeLessThan(before / 2);
}, 60_000);
