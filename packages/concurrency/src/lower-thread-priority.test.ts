import { once } from 'node:events';
import { constants, getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';

const module = new URL('lower-thread-priority.ts', import.meta.url).href;
/** Elsewhere a priority belongs to the whole process, and stays. */
const steps = process.platform === 'linux' ? constants.priority.PRIORITY_BELOW_NORMAL : 0;
const program = `
  const { parentPort } = require('node:worker_threads');
  const { existsSync, readlinkSync } = require('node:fs');
  const { getPriority } = require('node:os');
  import('${module}').then(({ lowerThreadPriority }) => {
    lowerThreadPriority();
    const self = '/proc/thread-self';
    const threadId = existsSync(self) ? Number(readlinkSync(self).split('/').at(-1)) : 0;
    parentPort.postMessage(getPriority(threadId));
  });
`;

describe('the priority of a worker thread', () => {
  it('is lowered without that of its process', async () => {
    const before = getPriority();
    const worker = new Worker(program, { eval: true });
    const [priority] = (await once(worker, 'message')) as [number];
    await worker.terminate();
    expect(priority).toBe(Math.max(before, steps));
    expect(getPriority()).toBe(before);
  });
});
